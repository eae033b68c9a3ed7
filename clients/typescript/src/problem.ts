// The errors that the client throws.

import type { FieldError, Problem } from './api.js'

/** The server refused a request. Programs read `code`, people read the message. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  /** `unknown` if something other than the server answered. */
  readonly code: Problem['code'] | 'unknown'
  /** One sentence: what was given, and what is accepted. */
  readonly detail: string
  /** The parameters that are wrong. */
  readonly errors: readonly FieldError[]
  readonly requestId: string | null
  /** Seconds to wait before another attempt; null if the server does not say. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, document: Partial<Problem>, retryAfterSeconds: number | null) {
    const { code = 'unknown', title = `status ${status}`, detail = title, errors = [] } = document
    super(`${code}: ${detail}`)
    this.status = status
    this.code = code
    this.detail = detail
    this.errors = errors
    this.requestId = document.request_id ?? null
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether another attempt can succeed after a short wait: not for an exceeded quota, which lasts for the month. */
  get isWorthAnother(): boolean {
    const isShort = this.status === 503 || (this.status === 429 && this.code !== 'quota_exceeded')
    return isShort && (this.retryAfterSeconds ?? 0) <= WAIT_SECONDS_MAX
  }
}

const WAIT_SECONDS_MAX = 60

/** In every attempt, the server could not be reached or its answer was incomplete. */
export class BrokenError extends Error {
  override readonly name = 'BrokenError'
}

export async function problemOf(response: Response): Promise<ProblemError> {
  const seconds = Number.parseFloat(response.headers.get('retry-after') ?? '')
  const text = await response.text().catch(() => '')
  return new ProblemError(response.status, documentOf(text), Number.isNaN(seconds) ? null : Math.max(0, seconds))
}

function documentOf(text: string): Partial<Problem> {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null ? document : {}
  } catch {
    return {}
  }
}
