// The client: every question of the API by its path, typed; pages, tables and the live stream.

import type { DownloadTicket } from './api.js'
import { type ClientOptions, Server } from './ask.js'
import type { Answer, PagedPath, Path, Query, Row } from './paths.js'
import { watched } from './reader.js'
import { Stream, type StreamOptions } from './stream.js'

export type AskOptions = {
  /** Parts of the path that are named with a colon, such as `/kalshi/files/:date/:market/:name`. */
  params?: Record<string, string>
  signal?: AbortSignal
}

/** What is used most of a `Table` of `@uwdata/flechette`, whose types are there where it is installed. */
export type ArrowTable = {
  readonly numRows: number
  readonly names: (string | number)[]
  toArray(): Record<string, unknown>[]
  toColumns(): Record<string, ArrayLike<unknown>>
}

export class Client {
  readonly #server: Server

  constructor(options: ClientOptions) {
    this.#server = new Server(options)
  }

  /** The JSON answer. Rejects with ProblemError where it is refused. */
  async get<P extends Path>(path: P, query: Query<P>, { params = {}, signal }: AskOptions = {}): Promise<Answer<P>> {
    const read = (response: Response) => response.json() as Promise<Answer<P>>
    const headers = { accept: 'application/json' }
    return this.#server.ask(filled(path, params), query as object, read, { headers, signal })
  }

  /** What `read` makes of an answer in any format, such as `format: 'csv'` and `(answer) => answer.text()`. Called again
   *  where the connection breaks while it reads. Rejects with its own error where it fails by itself. */
  async read<P extends Path, Value>(
    path: P,
    query: Query<P>,
    read: (response: Response) => Promise<Value>,
    { params = {}, signal }: AskOptions = {},
  ): Promise<Value> {
    return this.#server.ask(filled(path, params), query as object, watched(read), { signal })
  }

  /** An Arrow table; needs the package `@uwdata/flechette`. Times are dates in UTC, 64-bit counts numbers. */
  async arrow<P extends Path>(path: P, query: Query<P>, { params = {}, signal }: AskOptions = {}): Promise<ArrowTable> {
    const { tableFromIPC } = await import('@uwdata/flechette')
    const asked = { ...(query as object), format: 'arrow' }
    const read = async (response: Response) => new Uint8Array(await response.arrayBuffer())
    const bytes = await this.#server.ask(filled(path, params), asked, read, { signal })
    return tableFromIPC(bytes, { useDate: true })
  }

  /** Page after page. The `next_cursor` of one, as `cursor` of the same query, goes on behind it. */
  async *pages<P extends PagedPath>(
    path: P,
    query: Query<P>,
    options: AskOptions = {},
  ): AsyncGenerator<Answer<P>, void> {
    let cursor: string | null | undefined = (query as { cursor?: string }).cursor
    do {
      const page: Answer<P> = await this.get(path, { ...(query as object), cursor } as Query<P>, options)
      cursor = (page as { next_cursor: string | null }).next_cursor
      yield page
    } while (cursor !== null)
  }

  /** Row after row of all pages, which are asked for while the rows are read. */
  async *rows<P extends PagedPath>(path: P, query: Query<P>, options: AskOptions = {}): AsyncGenerator<Row<P>, void> {
    for await (const page of this.pages(path, query, options)) yield* (page as { data: Row<P>[] }).data
  }

  /** What is committed of markets from now on, or behind the position `after`. */
  stream(options: StreamOptions): Stream {
    return new Stream(this.#server, options)
  }

  /** A link to any data endpoint that works for a minute without a key. */
  async ticket(path: string, { signal }: AskOptions = {}): Promise<string> {
    const read = (response: Response) => response.json() as Promise<DownloadTicket>
    const body = JSON.stringify({ path })
    const headers = { 'content-type': 'application/json' }
    const { url } = await this.#server.ask('/download-tickets', {}, read, { method: 'POST', headers, body, signal })
    return this.#server.url + url
  }
}

const filled = (path: string, params: Record<string, string>) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const given = params[name]
    if (given === undefined) throw new TypeError(`${path} needs params.${name}`)
    return encodeURIComponent(given)
  })
