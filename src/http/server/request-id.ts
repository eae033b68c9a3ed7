// Every response carries `x-request-id`: the one the client sent where it is sane, else a new one.

/** Not a key, which would end up in logs and traces. */
const SANE = /^(?!bb_)[A-Za-z0-9._-]{1,128}$/
/** Of requests whose id was asked for before their answer was finished: most have none. */
const told = new WeakMap<Request, string>()

/** The same each time it is asked for. */
export function requestIdOf(request: Request): string {
  let id = told.get(request)
  if (id === undefined) {
    id = idFor(request)
    told.set(request, id)
  }
  return id
}

/** For a request that is answered now, and asked for no more. */
export const lastRequestIdOf = (request: Request): string => told.get(request) ?? idFor(request)

function idFor({ headers }: Request): string {
  const given = headers.get('x-request-id')
  return given !== null && SANE.test(given) ? given : crypto.randomUUID()
}
