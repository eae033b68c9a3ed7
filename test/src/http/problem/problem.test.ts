// Failures as problem+json: statuses, headers, and what stays in the log.

import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { problems } from '../../../../src/http/problem/problem.ts'
import { RequestFailure } from '../../../../src/http/server/request-failure.ts'
import { DataError, type DataErrorCode } from '../../../../storage/failures.ts'

async function answerTo(error: unknown) {
  const logged: string[] = []
  const app = new Elysia()
    .use(problems({ methodsOf: () => [] }, (id, _, cause) => void logged.push(`${id} ${cause}`)))
    .get('/fails', () => {
      throw error
    })
  const request = new Request('http://localhost/fails', { headers: { 'x-request-id': 'abc' } })
  const response = await app.handle(request)
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body, logged }
}

test.each([
  ['market_not_stored', 404, null],
  ['block_corrupt', 500, null],
  ['cursor_stale', 400, null],
  ['overloaded', 503, '1'],
  ['disk_full', 503, '1'],
  ['store_unavailable', 503, '1'],
] satisfies [DataErrorCode, number, string | null][])('%s is %d', async (code, status, retryAfter) => {
  const { headers, body, ...answer } = await answerTo(new DataError(code, 'A plain sentence.'))
  expect(answer.status).toBe(status)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('retry-after')).toBe(retryAfter)
  expect(body).toEqual({
    type: `urn:backbook:problem:${code}`,
    title: expect.any(String),
    status,
    detail: 'A plain sentence.',
    code,
    request_id: 'abc',
  })
})

test('a bug is told to the log with the request id, and not to the client', async () => {
  const { status, body, logged } = await answerTo(new TypeError('secret inner message'))
  expect(status).toBe(500)
  expect(body['code']).toBe('internal')
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(logged).toEqual(['abc TypeError: secret inner message'])
})

test('an error that looks like one of the framework is a bug like any other', async () => {
  const { status, body } = await answerTo(Object.assign(new Error('inner'), { code: 'VALIDATION', status: 418 }))
  expect([status, body['code']]).toEqual([500, 'internal'])
})

test('damaged data is logged, being busy is not', async () => {
  expect((await answerTo(new DataError('block_corrupt', 'Block 3'))).logged).toHaveLength(1)
  expect((await answerTo(new DataError('overloaded', 'Busy'))).logged).toHaveLength(0)
})

test('the headers and the field errors of a refusal are passed on', async () => {
  const errors = [{ field: 'a', message: 'b' }]
  const { headers, body } = await answerTo(
    new RequestFailure('key_missing', 'No key', { errors, headers: { 'x-a': '1' } }),
  )
  expect(headers.get('x-a')).toBe('1')
  expect(body['errors']).toEqual(errors)
})
