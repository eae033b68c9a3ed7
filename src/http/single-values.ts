// Refuses a parameter that is given twice: of two values the parser would keep one, and nobody could know which.

import { Elysia } from 'elysia'
import { parametersInvalid } from './request-failure.ts'

/** The framework takes a hook for one that must be waited for by the look of its text (a call behind `return` or `=>`),
 *  and then no answer is given at once any more: so this one only calls another function. */
export const singleValues = () =>
  new Elysia({ name: 'single-values' }).onTransform({ as: 'global' }, ({ request, query }) => {
    assertSingle(request.url, query)
  })

function assertSingle(url: string, query: object): void {
  const text = queryText(url)
  if (text === '') return
  const pairs = text.split('&').filter((pair) => pair !== '')
  if (pairs.length === Object.keys(query).length) return
  const names = [...new URLSearchParams(text).keys()]
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  const message = 'was given more than once: accepted is one value'
  if (repeated.size > 0) throw parametersInvalid(Array.from(repeated, (field) => ({ field, message })))
}

function queryText(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
