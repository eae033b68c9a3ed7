// Tests failures as problem+json: statuses, headers, and what only the log shows.

import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { damageIn, damageOf, PartGone } from '../../../storage/damage.ts'
import { DataError, type DataErrorCode } from '../../../storage/failures.ts'
import { failureOf, toError } from '../../../workers/pool/outcome.ts'
import { RequestFailure } from '../server/request-failure.ts'
import { problems } from './problem.ts'

const MESSAGE = 'The bucket books at s3.example cannot be used: /var/lib/backbook.'

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
  ['market_not_stored', 404, null, MESSAGE],
  ['block_corrupt', 500, null, 'Stored data is damaged'],
  ['cursor_stale', 400, null, MESSAGE],
  ['overloaded', 503, '1', MESSAGE],
  ['work_lost', 503, '1', MESSAGE],
  ['disk_full', 503, '1', 'The disk of the server is full: try again later'],
  ['store_unavailable', 503, '1', 'The store cannot be read now: try again later'],
  ['blocks_unavailable', 503, '1', 'Stored data cannot be fetched now: try again later'],
] satisfies [DataErrorCode, number, string | null, string][])('%s is %d', async (code, status, retryAfter, detail) => {
  const { headers, body, logged, ...answer } = await answerTo(new DataError(code, MESSAGE))
  expect(answer.status).toBe(status)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('retry-after')).toBe(retryAfter)
  expect(body).toEqual({
    type: `urn:backbook:problem:${code}`,
    title: expect.any(String),
    status,
    detail,
    code,
    request_id: 'abc',
  })
  if (status >= 500 && code !== 'overloaded') expect(logged).toEqual([`abc DataError: ${MESSAGE}`])
})

test('on damage the client gets the market and the date, and the log also gets the place', async () => {
  const key = { venue: 'kalshi', market: 'KXTEST', date: '2026-08-10' } as const
  const cause = new DataError('block_corrupt', 'it does not match its checksum, in the object segments/7f')
  const place = 'Stored data of the kalshi market KXTEST on 2026-08-10 is damaged'
  for (const error of [damageIn(key, 'block 3', cause), new PartGone(key, 'block 3')]) {
    // The failure as it comes from a thread.
    const { body, logged } = await answerTo(toError(failureOf(error)!))
    expect(body['detail']).toBe(place)
    expect(logged).toEqual([expect.stringContaining(`${place} (block 3): `)])
  }
  const { body, logged } = await answerTo(damageOf('value cursor_secret of the whole store', 'it is cut short'))
  expect(body['detail']).toBe('Stored data is damaged')
  expect(logged).toEqual([expect.stringContaining('cursor_secret')])
})

test('a bug is logged with the request id, and not shown to the client', async () => {
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
