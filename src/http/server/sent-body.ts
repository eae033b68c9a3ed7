// How much of a body was sent, and how that ended. Of bodies that are made in pieces a response alone does not tell.

export type BodyEnd = 'whole' | 'failed' | 'left'

export class SentBody {
  bytes = 0
  /** Null while it is being sent. `left`: by its client. */
  end: BodyEnd | null = null
  readonly #listeners: ((body: SentBody) => void)[] = []

  /** Once. */
  done(end: BodyEnd): void {
    if (this.end !== null) return
    this.end = end
    for (const listener of this.#listeners.splice(0)) listener(this)
  }

  /** At once where it has ended. */
  whenDone(listener: (body: SentBody) => void): void {
    if (this.end === null) this.#listeners.push(listener)
    else listener(this)
  }
}

// By request: the framework makes another response of the one that it is given.
const bodies = new WeakMap<Request, SentBody>()

/** The body that this request is answered with, from its first byte on. */
export function followBody(request: Request): SentBody {
  const body = new SentBody()
  bodies.set(request, body)
  return body
}

/** For a body that is there from the start. */
export function followWhole(request: Request, bytes: number): void {
  const body = followBody(request)
  body.bytes = bytes
  body.done('whole')
}

/** Undefined for answers that are not followed: the small ones. */
export const sentBodyOf = (request: Request): SentBody | undefined => bodies.get(request)
