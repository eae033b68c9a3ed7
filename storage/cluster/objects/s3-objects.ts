// Objects in a bucket of an S3-compatible store.

import { createHash } from 'node:crypto'
import { readText } from '../../retry/http-client.ts'
import { TransientFailure } from '../../retry/with-retry.ts'
import type { ObjectSettings } from '../settings/cluster-settings.ts'
import { type ListedObject, ObjectGone, type ObjectRange, type Objects } from './objects.ts'
import { readRange } from './range-body.ts'
import { type ListPage, parseList } from './s3-answers.ts'
import { S3Connection, type S3Context } from './s3-connection.ts'
import type { S3Action } from './s3-failures.ts'

const READ: S3Action = { verb: 'read objects', right: 's3:GetObject' }
const WRITE: S3Action = { verb: 'write objects', right: 's3:PutObject' }
const LIST: S3Action = { verb: 'list objects', right: 's3:ListBucket' }
const DELETE: S3Action = { verb: 'delete objects', right: 's3:DeleteObject' }

/** The longest response with a list: a thousand keys of 1,024 bytes, each byte written as three characters, with the
 *  XML around them. */
const LIST_BYTES_MAX = 8 << 20
const SMALL_BYTES_MAX = 64 << 10
/** The maximum number of removals at once. It is smaller than the connection's limit of requests, so that reads do not
 *  wait for a long list of removals. */
const REMOVALS_MAX = 8

export class S3Objects implements Objects {
  readonly #connection: S3Connection
  readonly #prefix: string

  constructor(settings: ObjectSettings, context: Partial<S3Context> = {}) {
    this.#connection = new S3Connection(settings, context)
    this.#prefix = settings.prefix === '' ? '' : `${settings.prefix}/`
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const headers = { 'content-md5': createHash('md5').update(bytes).digest('base64') }
    await this.#connection.send({ method: 'PUT', action: WRITE, key, headers, body: bytes }, readNothing)
  }

  async read(range: ObjectRange): Promise<Uint8Array> {
    const { key, start, length } = range
    if (length === 0) return new Uint8Array(0)
    const headers = { range: `bytes=${start}-${start + length - 1}` }
    return await this.#connection.send({ method: 'GET', action: READ, key, headers }, (response) =>
      readRange(response, range),
    )
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    for (let next: string | null = ''; next !== null; ) {
      const page: ListPage = (await this.#page(prefix, next)).page
      for (const object of page.objects) yield { ...object, key: object.key.slice(this.#prefix.length) }
      next = page.next
    }
  }

  async nowMs(): Promise<number> {
    return (await this.#page('', '', 1)).nowMs
  }

  /** Removes each object in a request of its own: not every server supports removing many in one, and nothing waits for
   *  this. */
  async remove(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += REMOVALS_MAX) {
      await Promise.all(keys.slice(from, from + REMOVALS_MAX).map((key) => this.#removeOne(key)))
    }
  }

  async close(): Promise<void> {}

  async #removeOne(key: string): Promise<void> {
    try {
      await this.#connection.send({ method: 'DELETE', action: DELETE, key }, readNothing)
    } catch (error) {
      if (!(error instanceof ObjectGone)) throw error
    }
  }

  async #page(prefix: string, token: string, objectsMax = 1_000): Promise<{ page: ListPage; nowMs: number }> {
    const whole = `${this.#prefix}${prefix}`
    const query: Record<string, string> = {
      'encoding-type': 'url',
      'list-type': '2',
      'max-keys': `${objectsMax}`,
      prefix: whole,
    }
    if (token !== '') query['continuation-token'] = token
    return await this.#connection.send({ method: 'GET', action: LIST, query }, async (response) => {
      const page = parseList(await readText(response, LIST_BYTES_MAX))
      const nowMs = Date.parse(response.headers.get('date') ?? '')
      // Objects outside the prefix belong to someone else and must not be taken for ours.
      if (page === null || page.objects.some(({ key }) => !key.startsWith(whole))) {
        throw new TransientFailure('its answer is not a list of objects')
      }
      if (Number.isNaN(nowMs)) throw new TransientFailure('its answer has no Date header')
      if (page.next === token) throw new TransientFailure('its list of objects repeats a page')
      return { page, nowMs }
    })
  }
}

const readNothing = async (response: Response): Promise<void> => {
  await readText(response, SMALL_BYTES_MAX)
}
