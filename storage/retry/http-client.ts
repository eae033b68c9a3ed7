// An HTTP client with a timeout for each attempt, a size limit for bodies, and retries of transient failures.

import { retryAfterMs } from './retry-after.ts'
import { inTime, type Timers } from './timers.ts'
import { type Retry, withRetry } from './with-retry.ts'

export type HttpInit = RequestInit & { headers: Record<string, string>; signal: AbortSignal }
export type HttpRequest<T> = Omit<RequestInit, 'signal'> & {
  url: string
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** The time limit for the request, including `read`, ms; unlimited if omitted. `lateReason` is the message of the
   *  failure when the time runs out. */
  timeoutMs?: number
  lateReason?: string
  /** Returns whether `read` gets this response. By default it gets only responses with status 2xx. */
  isAnswer?: (response: Response) => boolean
  /** Reads the response. `renew` restarts the timeout. */
  read(response: Response, renew: () => void): Promise<T>
  fetch?: ((url: string, init: HttpInit) => Promise<Response>) | undefined
  timers?: Timers | undefined
}

/** How many bytes of a refusal's body are read. */
const REFUSAL_BYTES_MAX = 64 << 10
/** 408 Request Timeout, 425 Too Early, 429 Too Many Requests. */
const PASSING_STATUSES = [408, 425, 429]

/** A request that got no response, an incomplete one, or an unexpected one. */
export class HttpFailure extends Error {
  /** Null if there was no response. */
  readonly status: number | null
  readonly headers: Headers
  /** The start of a refusal's body. */
  readonly text: string

  constructor(
    status: number | null,
    message: string,
    { headers = new Headers(), text = '', cause = undefined as unknown } = {},
  ) {
    super(message, { cause })
    this.status = status
    this.headers = headers
    this.text = text
  }

  /** Whether the server would respond the same next time. */
  get isRefusal(): boolean {
    return isRefusal(this.status)
  }

  /** The `code` and `detail` of a JSON object in the body; empty if there is none. */
  get problem(): { code?: unknown; detail?: unknown } {
    try {
      return JSON.parse(this.text) ?? {}
    } catch {
      return {}
    }
  }

  /** The wait that the server requested, ms; 0 if none. A date is compared with the response's own `date`. */
  get retryAfterMs(): number {
    const sentMs = Date.parse(this.headers.get('date') ?? '') || Date.now()
    return retryAfterMs(this.headers.get('retry-after'), sentMs) ?? 0
  }
}

/** Returns whether a server that sent this status would respond the same next time. */
export const isRefusal = (status: number | null): boolean =>
  status !== null && status >= 300 && status < 500 && !PASSING_STATUSES.includes(status)

/** Returns whether another attempt may succeed. */
export const mayPass = (error: unknown): boolean => error instanceof HttpFailure && !error.isRefusal

/** Sends a request, and retries transient failures. Rejects with HttpFailure, or with an error of `read`. */
export function fetchWithRetry<T>(request: HttpRequest<T>, retry: Retry): Promise<T> {
  const { timers, signal } = request
  return withRetry(() => fetchOnce(request), { isPassing: mayPass, timers, signal, ...retry })
}

/** Sends a request once. Rejects with HttpFailure, or with an error of `read`. */
export function fetchOnce<T>(request: HttpRequest<T>): Promise<T> {
  const { url, signal, timeoutMs, lateReason, isAnswer = isOk, read, timers, ...rest } = request
  const { fetch = globalThis.fetch, headers = {}, ...init } = rest
  const attempt = async (time: AbortSignal, renew: () => void) => {
    const ended = signal === undefined ? time : AbortSignal.any([signal, time])
    const response = await fetch(url, { ...init, headers, signal: ended }).catch(disconnected)
    if (isAnswer(response)) return await read(response, renew)
    const { bytes } = await firstBytes(response, REFUSAL_BYTES_MAX)
    const { status } = response
    throw new HttpFailure(status, `the answer was ${status}`, { headers: response.headers, text: textOf(bytes) })
  }
  if (timeoutMs === undefined) return attempt(new AbortController().signal, () => undefined)
  const late = () => new HttpFailure(null, lateReason ?? `no whole answer came within ${timeoutMs / 1_000} s`)
  return inTime(attempt, timeoutMs, late, timers)
}

/** Reads a whole body. Rejects with HttpFailure if the body breaks off or is longer than `bytesMax`. Calls `onBytes`
 *  for each piece. */
export async function readBody(
  response: Response,
  bytesMax: number,
  onBytes?: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, isAll } = await firstBytes(response, bytesMax, onBytes)
  if (!isAll) throw new HttpFailure(null, `the answer is longer than ${bytesMax} bytes`)
  return bytes
}

/** Reads a whole body as text; rejects as `readBody` does. */
export const readText = async (response: Response, bytesMax: number): Promise<string> =>
  textOf(await readBody(response, bytesMax))

async function firstBytes({ body }: Response, bytesMax: number, onBytes?: () => void) {
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of body ?? []) {
      onBytes?.()
      pieces.push(piece)
      length += piece.byteLength
      // Leaving the loop cancels the rest of the body.
      if (length > bytesMax) break
    }
  } catch (error) {
    disconnected(error)
  }
  return { bytes: Bun.concatArrayBuffers(pieces, Math.min(length, bytesMax), true), isAll: length <= bytesMax }
}

const isOk = ({ ok }: Response): boolean => ok
const textOf = ({ buffer }: Uint8Array<ArrayBuffer>): string => Buffer.from(buffer).toString()

function disconnected(cause: unknown): never {
  throw new HttpFailure(null, (cause as Error).message, { cause })
}
