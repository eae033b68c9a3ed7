// How much of a streamed body was sent, and how that ended: a response alone does not say.

export type BodyEnd = 'whole' | 'failed' | 'left'

export class SentBody {
  bytes = 0
  /** Null while it is being sent. `left`: the client left. */
  end: BodyEnd | null = null
  readonly #listeners: ((body: SentBody) => void)[] = []

  /** Once. */
  done(end: BodyEnd): void {
    if (this.end !== null) return
    this.end = end
    for (const listener of this.#listeners.splice(0)) listener(this)
  }

  /** Calls at once if it has ended. */
  whenDone(listener: (body: SentBody) => void): void {
    if (this.end === null) this.#listeners.push(listener)
    else listener(this)
  }
}

// By request, since the framework replaces the response.
const bodies = new WeakMap<Request, SentBody>()

/** The body that answers this request, from its first byte on. */
export function followBody(request: Request): SentBody {
  const body = new SentBody()
  bodies.set(request, body)
  return body
}

/** For a body in one piece. */
export function followWhole(request: Request, bytes: number): void {
  const body = followBody(request)
  body.bytes = bytes
  body.done('whole')
}

/** Undefined for small answers, which are not followed. */
export const sentBodyOf = (request: Request): SentBody | undefined => bodies.get(request)

const copied = new WeakSet<Request>()

/** Who sends the body of this request has written or copied each piece of it before it asks for the next. */
export const copyPieces = (request: Request): void => void copied.add(request)

export const arePiecesCopied = (request: Request): boolean => copied.has(request)
