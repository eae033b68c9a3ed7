// Refuses a parameter that is given twice, of which the parser would keep one and nobody could know which, and one that
// is no percent-encoded text, which it would take as it stands.

import { Elysia } from 'elysia'
import { ENCODING_ACCEPTED, isEncoded } from '../server/percent-encoding.ts'
import { type FieldError, parametersInvalid } from '../server/request-failure.ts'
import { mustBe } from './parameter.ts'

const AMPERSAND = 38

/** For the group it is used in, in its place among the group's checks.
 *
 *  The framework takes a hook for one that must be waited for by the look of its text (a call behind `return` or `=>`),
 *  and then no answer is given at once any more: so this one only calls another function. */
export const singleValues = () =>
  new Elysia().onTransform({ as: 'scoped' }, ({ request, query }) => {
    assertSingle(request.url, query)
  })

function assertSingle(url: string, query: object): void {
  const text = queryText(url)
  if (text.includes('%')) assertEncoded(text)
  if (text === '' || pairCount(text) === Object.keys(query).length) return
  const names = [...new URLSearchParams(text).keys()]
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  const message = 'must be given only once'
  if (repeated.size > 0) throw parametersInvalid(Array.from(repeated, (field) => ({ field, message })))
}

/** The parser would take a name or value that it cannot decode as it stands. */
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

function pairCount(text: string): number {
  let count = 0
  let isInPair = false
  for (let index = 0; index < text.length; index++) {
    const isPair = text.charCodeAt(index) !== AMPERSAND
    if (isPair && !isInPair) count += 1
    isInPair = isPair
  }
  return count
}

function queryText(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
