// The error of a failed request, with the server's description.

/** `status` is 0 if the server did not answer. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** The wait that the server requests before a retry; null if it requests none. */
  readonly retryAfterMs: number | null

  constructor(failure: {
    status: number
    code: string
    detail: string
    requestId: string | null
    retryAfterMs: number | null
  }) {
    super(failure.detail)
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId
    this.retryAfterMs = failure.retryAfterMs
  }
}
