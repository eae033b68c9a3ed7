// Tracks how many bytes of a streamed body were sent, and how it ended: a response alone does not show that.

export type BodyEnd = 'whole' | 'failed' | 'left'

export class SentBody {
  bytes = 0
  /** Null while the body is being sent. `left`: the client disconnected. */
  end: BodyEnd | null = null
  readonly #listeners: ((body: SentBody) => void)[] = []

  /** Records how the body ended. Only the first call counts. */
  done(end: BodyEnd): void {
    if (this.end !== null) return
    this.end = end
    for (const listener of this.#listeners.splice(0)) listener(this)
  }

  /** Calls the listener immediately if the body has already ended. */
  whenDone(listener: (body: SentBody) => void): void {
    if (this.end === null) this.#listeners.push(listener)
    else listener(this)
  }
}

// Keyed by request, since the framework replaces the response.
const bodies = new WeakMap<Request, SentBody>()

/** Tracks the body that answers this request, from its first byte on. */
export function followBody(request: Request): SentBody {
  const body = new SentBody()
  bodies.set(request, body)
  return body
}

/** Records a body that is sent in one piece. */
export function followWhole(request: Request, bytes: number): void {
  const body = followBody(request)
  body.bytes = bytes
  body.done('whole')
}

/** Returns the body that answers a request; undefined for a small answer, which is not tracked. */
export const sentBodyOf = (request: Request): SentBody | undefined => bodies.get(request)

const copied = new WeakSet<Request>()

/** Declares that each piece of this request's answer is written or copied before the next piece is requested. So each
 *  piece can then be freed. */
export const copyPieces = (request: Request): void => void copied.add(request)

export const arePiecesCopied = (request: Request): boolean => copied.has(request)
