// A client of the server behind the tools. Sends read-only requests, and reads no more rows than are shown.

import { HttpFailure } from '../../storage/retry/http-client.ts'
import { MirrorError, type RemoteServer } from '../mirror/remote-server.ts'

export type Query = Readonly<Record<string, string | number | undefined>>
export type Rows = {
  /** Lines of CSV; the first one has the column names. */
  lines: string[]
  /** Total number of rows if the server reports it, else null. */
  total: number | null
  /** True if there are more rows than these. */
  hasMore: boolean
  /** Cursor for the rows that follow, null if there are none. */
  nextCursor: string | null
}

/** The server refused the request. The message is the server's own, so it names the API's parameters. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

export class ServerClient {
  readonly #server: Pick<RemoteServer, 'get'>

  constructor(server: Pick<RemoteServer, 'get'>) {
    this.#server = server
  }

  /** Rejects with Refusal, or with MirrorError if the server does not answer. */
  async json<Answer>(path: string, query: Query): Promise<Answer> {
    const response = await this.#answer(path, query)
    return (await response.json().catch(throwIncomplete)) as Answer
  }

  /** Returns the first rows of an answer, then cancels the rest. */
  async rows(path: string, query: Query, rowsMax: number): Promise<Rows> {
    const { headers, body } = await this.#answer(path, { ...query, format: 'csv' })
    const { lines, hasMore } = await firstLines(body!, rowsMax + 1).catch(throwIncomplete)
    const count = headers.get('x-data-count')
    return {
      lines,
      total: count === null ? null : Number(count),
      hasMore: hasMore || headers.get('x-has-more') === 'true',
      nextCursor: headers.get('x-next-cursor'),
    }
  }

  #answer(path: string, query: Query): Promise<Response> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
    return this.#server.get(`/api/v1/${path}?${parameters}`).catch(asRefusal)
  }
}

/** Reads the first lines of a body. Splits it at line ends, because no value of the requested columns contains a line
 *  end. */
async function firstLines(body: ReadableStream<Uint8Array>, linesMax: number) {
  const lines: string[] = []
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = parts.pop()!
    lines.push(...parts)
    // Leaving the loop cancels the answer.
    if (lines.length > linesMax) return { lines: lines.slice(0, linesMax), hasMore: true }
  }
  if (rest !== '') throw new Error('the last line is incomplete')
  return { lines, hasMore: false }
}

function throwIncomplete(): never {
  throw new MirrorError("the server's answer was cut off: try again")
}

function asRefusal(error: Error): never {
  const failure = error.cause
  if (!(failure instanceof HttpFailure) || failure.status === null) throw error
  const { code, detail } = failure.problem
  const hasDetail = typeof code === 'string' && typeof detail === 'string'
  throw new Refusal(hasDetail ? `${code}: ${detail}` : `the server answered ${failure.status}`)
}
