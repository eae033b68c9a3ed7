// Every response carries `x-request-id`: the one the client sent where it is sane, else a new one.

/** Not a key, which would end up in logs and traces. */
const SANE = /^(?!bb_)[A-Za-z0-9._-]{1,128}$/
/** Ids that were used before the answer was finished: most requests have none. */
const used = new WeakMap<Request, string>()

/** The same at every call. */
export function requestIdOf(request: Request): string {
  let id = used.get(request)
  if (id === undefined) {
    id = idFor(request)
    used.set(request, id)
  }
  return id
}

/** For the last use of an id, when the request is answered. */
export const lastRequestIdOf = (request: Request): string => used.get(request) ?? idFor(request)

function idFor({ headers }: Request): string {
  const given = headers.get('x-request-id')
  return given !== null && SANE.test(given) ? given : crypto.randomUUID()
}
