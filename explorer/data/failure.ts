// The error of a failed request, with the server's description.

/** `status` is 0 if the server did not answer. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** The wait that the server requests before a retry; null if it requests none. */
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
