// Tests failures as documented answers: one for each status, with its codes and its headers.

import { expect, test } from 'bun:test'
import { REQUEST_FAILURES } from '../http/server/request-failure.ts'
import { problemAnswers, problemExamples } from './problem-answers.ts'

type Documented = {
  description: string
  headers: Record<string, unknown>
  content: { 'application/problem+json': { examples: Record<string, unknown> } }
}

test('the codes of a status share an answer, and statuses ascend', () => {
  const answers = problemAnswers(['internal', 'route_unknown', 'key_unknown', 'key_missing'], []) as Record<
    string,
    Documented
  >
  expect(Object.keys(answers)).toEqual(['401', '404', '500'])
  expect(answers['401']?.description).toBe(
    '`key_unknown`: The API key is not known. `key_missing`: An API key is required.',
  )
  expect(answers['401']?.content['application/problem+json'].examples).toEqual({
    key_unknown: { $ref: '#/components/examples/key_unknown' },
    key_missing: { $ref: '#/components/examples/key_missing' },
  })
})

test.each([
  ['key_missing', ['x-request-id', 'WWW-Authenticate']],
  ['scope_missing', ['x-request-id']],
  ['url_too_long', ['x-request-id']],
  ['rate_limited', ['x-request-id', 'Retry-After', 'RateLimit']],
  ['accounts_unavailable', ['x-request-id', 'Retry-After', 'RateLimit']],
  ['parameters_invalid', ['x-request-id', 'RateLimit']],
  ['admin_token_missing', ['x-request-id']],
] as const)('the headers of %s', (code, headers) => {
  const [answer] = Object.values(problemAnswers([code], ['RateLimit'])) as [Documented]
  expect(Object.keys(answer.headers)).toEqual([...headers])
})

test('every code has an example, with its own status', () => {
  expect(Object.keys(problemExamples)).toEqual(expect.arrayContaining(Object.keys(REQUEST_FAILURES)))
  expect(problemExamples['key_expired']).toMatchObject({
    value: {
      ...{ type: 'urn:backbook:problem:key_expired', title: 'The API key has expired', status: 401 },
      ...{ detail: 'The API key has expired.', code: 'key_expired' },
    },
  })
  expect(problemExamples['slug_not_found']).toMatchObject({
    value: { detail: 'No event and no market with the slug "no-such-slug" is stored' },
  })
})
