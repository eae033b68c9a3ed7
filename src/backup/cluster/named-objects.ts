// The objects that a backup names: which of them the bucket lacks, or has with other bytes.

import { createReadStream } from 'node:fs'
import { ObjectGone, type Objects, ObjectTooShort } from '../../../storage/cluster/objects/objects.ts'
import { SEGMENTS } from '../../../storage/cluster/segment/segment.ts'

const READ_BYTES = 8 << 20

export type NamedObject = { key: string; bytes: number }
export type LackingObject = NamedObject & { what: string }
type OnObject = (checked: number) => void

/** Of a file with the key and the bytes of an object in each line, ascending by key. */
export async function* listedObjects(path: string): AsyncGenerator<NamedObject> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const [key, bytes] = line.split('\t')
      yield { key: key!, bytes: Number(bytes) }
    }
  }
}

/** The bucket's own list is in the same order, so one is held against the other as they come. */
export async function* lackingObjects(
  objects: Objects,
  named: AsyncIterable<NamedObject>,
  onObject: OnObject,
): AsyncGenerator<LackingObject> {
  const listed = objects.list(SEGMENTS)[Symbol.asyncIterator]()
  try {
    let next = await listed.next()
    let checked = 0
    for await (const { key, bytes } of named) {
      while (!next.done && next.value.key < key) next = await listed.next()
      const found = !next.done && next.value.key === key ? next.value.bytes : null
      if (found === null) yield { key, bytes, what: 'it is missing' }
      else if (found !== bytes) yield { key, bytes, what: `it has ${found} bytes, and should have ${bytes}` }
      onObject(++checked)
    }
  } finally {
    await listed.return?.()
  }
}

/** Reads each whole: its name is the SHA-256 of its bytes. */
export async function* damagedObjects(
  objects: Objects,
  named: AsyncIterable<NamedObject>,
  onObject: OnObject,
): AsyncGenerator<LackingObject> {
  let checked = 0
  for await (const { key, bytes } of named) {
    const what = await damageOf(objects, { key, bytes })
    if (what !== undefined) yield { key, bytes, what }
    onObject(++checked)
  }
}

async function damageOf(objects: Objects, { key, bytes }: NamedObject): Promise<string | undefined> {
  const hasher = new Bun.CryptoHasher('sha256')
  try {
    for (let start = 0; start < bytes; start += READ_BYTES) {
      hasher.update(await objects.read({ key, start, length: Math.min(READ_BYTES, bytes - start) }))
    }
  } catch (error) {
    if (error instanceof ObjectGone) return 'it is missing'
    if (error instanceof ObjectTooShort) return `it has less than ${bytes} bytes`
    throw error
  }
  return key.endsWith(`/${hasher.digest('hex')}`) ? undefined : 'it has other bytes than its name says'
}
