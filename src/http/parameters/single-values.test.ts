// Tests parameters that are repeated, or that are not text.

import { expect, test } from 'bun:test'
import { ask, testApp } from '../../../test/support/server.ts'

const app = testApp()
const fieldsOf = async (query: string) => {
  const { status, body } = await ask(app, `/kalshi/market/list?${query}`)
  return status === 200 ? [] : (body as { errors: { field: string; message: string }[] }).errors
}
const message = 'must be given only once'

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

test.each(['a', '%', 'limit=1'])('more than a hundred parameters (%p) are refused as one', async (pair) => {
  const pairs = Array.from({ length: 101 }, (_, i) => (pair === 'a' ? `a${i}` : pair)).join('&')
  expect(await fieldsOf(pairs)).toEqual([{ field: 'query', message: 'must have at most 100 parameters, got 101' }])
})

test.each([
  ['prefix=%ff', 'prefix', '%ff'],
  ['prefix=%ED%A0%80', 'prefix', '%ED%A0%80'],
  ['prefix=a=%zz', 'prefix', 'a=%zz'],
  ['limit=1&prefix=%', 'prefix', '%'],
  ['%zz=1', '%zz', '%zz'],
])('%s is not text, and is refused', async (query, field, given) =>
  expect(await fieldsOf(query)).toEqual([{ field, message: `must be percent-encoded UTF-8, got "${given}"` }]),
)

test.each([
  ['/user/%zz/requests/count', 'user_id', '%zz'],
  ['/api/v1/user/a%ED%A0%80/requests/recent', 'user_id', 'a%ED%A0%80'],
  ['/keys/%/name', 'key_id', '%'],
])('%s is not text, and is refused', async (path, field, given) => {
  const { status, body } = await ask(app, path, { headers: {} })
  const message = `must be percent-encoded UTF-8, got "${given}"`
  expect([status, body]).toMatchObject([400, { detail: `${field} ${message}`, errors: [{ field, message }] }])
})
