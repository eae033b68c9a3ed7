// Refuses a parameter that is given twice: the parser would silently use one of the values. Also refuses a parameter
// that is not percent-encoded text: the parser would use it undecoded.

import { Elysia } from 'elysia'
import { ENCODING_ACCEPTED, isEncoded } from '../server/percent-encoding.ts'
import { type FieldError, parametersInvalid } from '../server/request-failure.ts'
import { mustBe } from './parameter.ts'

/** Checks the requests of the route group that uses this plugin, in the order of the group's checks.
 *
 *  The framework awaits a hook if its source text has a call after `return` or `=>`, and then every answer becomes a
 *  promise. So this hook has braces and no `return`. */
export const singleValues = () =>
  new Elysia().onTransform({ as: 'scoped' }, ({ request }) => {
    assertSingle(request.url)
  })

/** No endpoint takes as many parameters. Checking more would only take time and make a very long error message. */
const PARAMETERS_MAX = 100

function assertSingle(url: string): void {
  const text = queryText(url)
  if (text === '') return
  const count = text.split('&').length
  if (count > PARAMETERS_MAX) {
    const message = `must have at most ${PARAMETERS_MAX} parameters, got ${count}`
    throw parametersInvalid([{ field: 'query', message }])
  }
  if (text.includes('%')) assertEncoded(text)
  const [names, repeated] = [new Set<string>(), new Set<string>()]
  for (const name of new URLSearchParams(text).keys()) (names.has(name) ? repeated : names).add(name)
  const message = 'must be given only once'
  if (repeated.size > 0) throw parametersInvalid(Array.from(repeated, (field) => ({ field, message })))
}

/** Refuses names and values that cannot be decoded; the parser would use them undecoded. */
function assertEncoded(text: string): void {
  const wrong = text.split('&').filter((pair) => !isEncoded(pair))
  if (wrong.length > 0) throw parametersInvalid(wrong.map(notEncoded))
}

function notEncoded(pair: string): FieldError {
  const [field = '', ...values] = pair.split('=')
  if (field === 'key') return { field, message: `must be ${ENCODING_ACCEPTED}` }
  const given = isEncoded(field) ? values.join('=') : field
  return { field, message: mustBe(ENCODING_ACCEPTED, given) }
}

function queryText(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
