// What a request failed with, as the server said it.

/** `status` is 0 where no answer came. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | null

  constructor(said: {
    status: number
    code: string
    detail: string
    requestId: string | null
    retryAfterMs: number | null
  }) {
    super(said.detail)
    this.status = said.status
    this.code = said.code
    this.requestId = said.requestId
    this.retryAfterMs = said.retryAfterMs
  }
}
