// Parameters that are given twice, or that are no text.

import { expect, test } from 'bun:test'
import { ask, testApp } from '../../support/server.ts'

const app = testApp()
const fieldsOf = async (query: string) => {
  const { status, body } = await ask(app, `/kalshi/market/list?${query}`)
  return status === 200 ? [] : (body as { errors: { field: string; message: string }[] }).errors
}
const message = 'was given more than once: accepted is one value'

test.each([
  ['limit=1&limit=2', ['limit']],
  ['limit=1&limit=1', ['limit']],
  ['limit=1&li%6Dit=1', ['limit']],
  ['offset=1&limit=1&offset=1&limit=2', ['offset', 'limit']],
  ['limit=&limit', ['limit']],
])('%s is refused', async (query, fields) =>
  expect(await fieldsOf(query)).toEqual(fields.map((field) => ({ field, message }))),
)

test.each(['', 'limit=1', 'limit=1&', '&&limit=1&&offset=0', 'prefix=a&limit=1'])('%p is not', async (query) =>
  expect(await fieldsOf(query)).toEqual([]),
)

test.each(['prefix=%ff', 'prefix=%ED%A0%80', 'prefix=%zz', 'prefix=%'])('%s is no text, and refused', async (query) =>
  expect(await fieldsOf(query)).toEqual([{ field: 'prefix', message: 'is not percent-encoded UTF-8' }]),
)
