// Refuses a parameter that is given twice: of two values the parser would keep one, and nobody could know which.

import { Elysia } from 'elysia'
import { parametersInvalid } from './request-failure.ts'

export const singleValues = () =>
  new Elysia({ name: 'single-values' }).onTransform({ as: 'global' }, ({ request, query }) => {
    const text = queryText(request.url)
    if (text === '') return
    const pairs = text.split('&').filter((pair) => pair !== '')
    if (pairs.length === Object.keys(query).length) return
    const names = [...new URLSearchParams(text).keys()]
    const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
    const message = 'was given more than once: accepted is one value'
    if (repeated.size > 0) throw parametersInvalid(Array.from(repeated, (field) => ({ field, message })))
  })

function queryText(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
