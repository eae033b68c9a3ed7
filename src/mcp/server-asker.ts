// The server behind the tools: read-only questions, of whose rows no more are read than are shown.

import { HttpFailure } from '../../storage/retry/http-client.ts'
import { MirrorError, type RemoteServer } from '../mirror/remote-server.ts'

export type Query = Readonly<Record<string, string | number | undefined>>
export type Rows = {
  /** Lines of CSV; the first one is the names. */
  lines: string[]
  /** Rows in all where the server says so, else null. */
  total: number | null
  /** Whether there are more rows than these. */
  hasMore: boolean
  /** Where a list goes on, null where it does not. */
  nextCursor: string | null
}

/** The server's own words about what it refuses. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

export class ServerAsker {
  readonly #server: Pick<RemoteServer, 'get'>

  constructor(server: Pick<RemoteServer, 'get'>) {
    this.#server = server
  }

  /** Rejects with Refusal, or with MirrorError where the server does not answer. */
  async json<Answer>(path: string, query: Query): Promise<Answer> {
    const response = await this.#answer(path, query)
    return (await response.json().catch(brokenOff)) as Answer
  }

  /** The first rows of an answer, which the server stops making then. */
  async rows(path: string, query: Query, rowsMax: number): Promise<Rows> {
    const { headers, body } = await this.#answer(path, { ...query, format: 'csv' })
    const { lines, hasMore } = await firstLines(body!, rowsMax + 1).catch(brokenOff)
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
    const words = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
    return this.#server.get(`/api/v1/${path}?${words}`).catch(asRefusal)
  }
}

/** Lines are never broken in the middle: the values asked for hold no line ends. */
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
  if (rest !== '') throw new Error('the last line is not whole')
  return { lines, hasMore: false }
}

function brokenOff(): never {
  throw new MirrorError('the answer of the server broke off: ask again')
}

function asRefusal(error: Error): never {
  const failure = error.cause
  if (!(failure instanceof HttpFailure) || failure.status === null) throw error
  const { code, detail } = failure.problem
  const isTold = typeof code === 'string' && typeof detail === 'string'
  throw new Refusal(isTold ? `${code}: ${detail}` : `the server answered ${failure.status}`)
}
