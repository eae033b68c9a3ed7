// The typed client: sends any query of the API by its path, follows pages, and returns tables and the live stream.

import type { DownloadTicket } from './api.js'
import { type ClientOptions, Server } from './ask.js'
import type { Answer, PagedPath, Path, Query, Row } from './paths.js'
import { watched } from './reader.js'
import { Stream, type StreamOptions } from './stream.js'

export type AskOptions = {
  /** Values for the parts of the path that begin with a colon, as in `/kalshi/files/:date/:market/:name`. */
  params?: Record<string, string>
  signal?: AbortSignal
}

/** The most used members of a `Table` of `@uwdata/flechette`. The full type comes with that package. */
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

  /** Returns the JSON answer. Rejects with ProblemError if the server refuses the request. */
  async get<P extends Path>(path: P, query: Query<P>, { params = {}, signal }: AskOptions = {}): Promise<Answer<P>> {
    const read = (response: Response) => response.json() as Promise<Answer<P>>
    const headers = { accept: 'application/json' }
    return this.#server.ask(filled(path, params), query as object, read, { headers, signal })
  }

  /** Returns what `read` makes of an answer in any format, such as `format: 'csv'` and `(answer) => answer.text()`.
   *  Calls `read` again if the connection breaks while it reads. If `read` itself fails, rejects with its error. */
  async read<P extends Path, Value>(
    path: P,
    query: Query<P>,
    read: (response: Response) => Promise<Value>,
    { params = {}, signal }: AskOptions = {},
  ): Promise<Value> {
    return this.#server.ask(filled(path, params), query as object, watched(read), { signal })
  }

  /** Returns an Arrow table; needs the package `@uwdata/flechette`. Times are `Date`s, 64-bit counts are numbers. */
  async arrow<P extends Path>(path: P, query: Query<P>, { params = {}, signal }: AskOptions = {}): Promise<ArrowTable> {
    const { tableFromIPC } = await import('@uwdata/flechette')
    const asked = { ...(query as object), format: 'arrow' }
    const read = async (response: Response) => new Uint8Array(await response.arrayBuffer())
    const bytes = await this.#server.ask(filled(path, params), asked, read, { signal })
    return tableFromIPC(bytes, { useDate: true })
  }

  /** Yields all pages. To continue after a page, pass its `next_cursor` as `cursor` of the same query. */
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

  /** Yields the rows of all pages. Requests a page when all rows before it are read. */
  async *rows<P extends PagedPath>(path: P, query: Query<P>, options: AskOptions = {}): AsyncGenerator<Row<P>, void> {
    for await (const page of this.pages(path, query, options)) yield* (page as { data: Row<P>[] }).data
  }

  /** Streams what is committed for markets from now on, or after the position `after`. */
  stream(options: StreamOptions): Stream {
    return new Stream(this.#server, options)
  }

  /** Returns a link to any data endpoint. The link works for one minute without a key. */
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
