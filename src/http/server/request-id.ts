// Every response carries `x-request-id`: the client's own if it is valid, else a new one.

/** A valid request id. API keys are excluded, since ids go into logs and traces. */
const SANE = /^(?!bb_)[A-Za-z0-9._-]{1,128}$/
/** Ids that were needed before the answer was finished. Most requests have none. */
const used = new WeakMap<Request, string>()

/** Returns the id of a request: the same id at every call. */
export function requestIdOf(request: Request): string {
  let id = used.get(request)
  if (id === undefined) {
    id = idFor(request)
    used.set(request, id)
  }
  return id
}

/** Returns the id without storing it. Call it last, when the request is answered. */
export const lastRequestIdOf = (request: Request): string => used.get(request) ?? idFor(request)

function idFor({ headers }: Request): string {
  const given = headers.get('x-request-id')
  return given !== null && SANE.test(given) ? given : crypto.randomUUID()
}
