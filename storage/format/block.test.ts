// A block is read back as it was written, and a change of any byte is refused.

import { describe, expect, test } from 'bun:test'
import { kalshiDelta, kalshiSnapshot, NOON, priceChange, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { blockPart } from '../block-store.ts'
import { DataError } from '../failures.ts'
import { BLOCK_VERSION, decodeBlock, encodeBlock, isIntact, withChecksum } from './block.ts'
import { decodeHead, encodeHead } from './partition-head-codec.ts'

/** The bytes of a block of real records, and of its head. */
type StoredBytes = { block: Uint8Array; head: Uint8Array }

async function storedBytes(): Promise<StoredBytes> {
  let bytes: StoredBytes = { block: new Uint8Array(0), head: new Uint8Array(0) }
  await withStore(async (store) => {
    const deltas = Array.from({ length: 60 }, (_, ms) => kalshiDelta(ms, `0.${10 + (ms % 80)}00`, `${ms}.00`))
    const lines = [kalshiSnapshot([['0.4800', '5.00']]), ...deltas, priceChange(3, { price: '.5', size: '1' })]
    await store.loadLines(
      'c.ndjson',
      lines.map((line) => JSON.stringify(line)),
    )
    const { blocks, catalogue } = store.store
    const key = { venue: 'kalshi', market: TICKER, date: new Date(NOON).toISOString().slice(0, 10) } as const
    const head = (await catalogue.head(key))!
    const part = blockPart(head.blocks[0]!.id)
    const block = (await blocks.fetch([{ key, ...part }])).bytes(key, part)
    bytes = { block: Uint8Array.from(block), head: encodeHead(head) }
  })
  return bytes
}

const codeOf = (read: () => unknown): string => {
  try {
    read()
    return 'read'
  } catch (error) {
    return error instanceof DataError ? error.code : String(error)
  }
}

const { block, head } = await storedBytes()

describe.each([
  ['block', block, decodeBlock],
  ['head', head, decodeHead],
])('a %s', (_name, bytes, decode) => {
  test('is read as it was written', () => expect(codeOf(() => decode(bytes))).toBe('read'))

  test('is refused when any one byte is another', () => {
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Uint8Array.from(bytes)
      damaged[at]! ^= 1 << (at % 8)
      if (codeOf(() => decode(damaged)) !== 'block_corrupt') expect([at, codeOf(() => decode(damaged))]).toEqual([])
    }
  })

  test('is refused when it is shorter or longer', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(codeOf(() => decode(bytes.subarray(0, length)))).toBe('block_corrupt')
    }
    expect(codeOf(() => decode(Uint8Array.from([...bytes, 0])))).toBe('block_corrupt')
  })

  test('is refused when its checksum is right and it makes no sense', () => {
    for (const body of [[], [0xc0], [0x93, 1, 2, 3], [0xff, 0xff], [0x94, BLOCK_VERSION, 1, 0xc4, 0, 0x90]]) {
      expect(codeOf(() => decode(withChecksum(Uint8Array.from(body))))).toBe('block_corrupt')
    }
  })
})

describe('encodeBlock', () => {
  test('writes the same bytes that decodeBlock read', () => {
    expect(Buffer.from(encodeBlock(decodeBlock(block))).equals(Buffer.from(block))).toBe(true)
  })

  test('makes bytes that are intact', () => {
    expect(isIntact(block)).toBe(true)
    expect(isIntact(block.subarray(1))).toBe(false)
  })
})

test('a head comes back as it was', () => expect(decodeHead(encodeHead(decodeHead(head)))).toEqual(decodeHead(head)))

test('a head is stored without its keys', () => {
  const keys = [...JSON.stringify(decodeHead(head)).matchAll(/"(\w+)":/g)].map(([, key]) => key!)
  const text = Buffer.from(head).toString('latin1')
  expect(keys.length).toBeGreaterThan(30)
  expect(keys.filter((key) => text.includes(key))).toEqual([])
})
