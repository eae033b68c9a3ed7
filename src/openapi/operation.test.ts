// Tests the documentation of a route: its answers, and the failures of its access check.

import { expect, test } from 'bun:test'
import { t } from 'elysia'
import { type Operation, operation } from './operation.ts'

const ABOUT: Operation = {
  ...{ id: 'one', summary: 'One', tag: 'kalshi', access: 'public' },
  answer: () => ({ description: 'It', schema: t.String() }),
}
type Documented = Record<string, { headers: Record<string, unknown>; content: Record<string, unknown> }>
const answersOf = (changes: Partial<Operation>) => operation({ ...ABOUT, ...changes }).answers() as Documented

const everywhere = ['400', '414', '500']

test.each<[Operation['access'], object[], string[], string[]]>([
  ['public', [], ['200', ...everywhere], ['x-request-id']],
  ['monitoring', [{ monitoringToken: [] }, {}], ['200', ...everywhere], ['x-request-id']],
  ['management', [{ adminToken: [] }, {}], ['200', '400', '401', '403', '414', '500', '503'], ['x-request-id']],
  ['bearer', [{ apiKey: [] }], ['200', '400', '401', '414', '500', '503'], ['x-request-id']],
  [
    'key',
    [{ apiKey: [] }],
    ['200', '304', '400', '401', '403', '414', '429', '500', '503'],
    ['x-request-id', 'RateLimit-Policy', 'RateLimit', 'ETag', 'Cache-Control'],
  ],
])('access by %s', (access, security, statuses, headers) => {
  expect(operation({ ...ABOUT, access })).toMatchObject({
    operationId: 'one',
    summary: 'One',
    tags: ['kalshi'],
    security,
  })
  const answers = answersOf({ access })
  expect([Object.keys(answers), Object.keys(answers['200']!.headers)]).toEqual([statuses, headers])
})

test('failures of its own, and a part of a file', () => {
  expect(answersOf({ failures: ['slug_not_found'] })).toHaveProperty('404')
  const file = { ...ABOUT.answer(), isPartial: true, headers: ['Accept-Ranges'] } as const
  const { 206: part, 200: whole } = answersOf({ answer: () => file })
  expect(Object.keys(part!.headers)).toEqual(['x-request-id', 'Accept-Ranges', 'Content-Range'])
  expect(part!.content).toEqual(whole!.content)
  expect(answersOf({})).not.toHaveProperty('206')
})

test('rows have headers of their own, and the same answer in other types', () => {
  const others = [{ type: 'text/csv', schema: t.String({ description: 'rows' }) }]
  const rows = { ...ABOUT.answer(), others, rowHeaders: ['X-Data-Count'] } as const
  const { 200: whole, 304: unchanged } = answersOf({ access: 'key', answer: () => rows })
  expect(Object.keys(whole!.content)).toEqual(['application/json', 'text/csv'])
  expect([whole, unchanged].map((each) => 'X-Data-Count' in each!.headers)).toEqual([true, false])
})

test('a connection has only the answer that opens it', () => {
  const { answer: _, ...about } = ABOUT
  const statusesOf = (hasEvents: boolean) => Object.keys(operation({ ...about, connection: { hasEvents } }).answers())
  expect(statusesOf(false)).toEqual(['101', ...everywhere])
  expect(statusesOf(true)).toEqual(['101', '200', ...everywhere])
})
