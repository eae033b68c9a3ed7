// Tests the log line about a failure.

import { expect, test } from 'bun:test'
import { createLog } from '../../observe/log/log.ts'
import { failureLog, lateFailure } from './failure-log.ts'
import { lastRequestIdOf } from './request-id.ts'

test('one JSON line, with the request id and the cause, without the query', () => {
  const lines: string[] = []
  const log = failureLog(createLog({ format: 'json', write: (line) => lines.push(line) }))
  const error = new Error('outer', { cause: new Error('inner') })
  log('id-1', new Request('http://localhost/health?secret=1'), error)
  expect(lines.length).toBe(1)
  expect(lines[0]).not.toContain('secret')
  expect(lines[0]?.indexOf('\n')).toBe(lines[0]!.length - 1)
  const entry = JSON.parse(lines[0]!)
  expect(entry).toMatchObject({ level: 'error', request_id: 'id-1', method: 'GET', path: '/health' })
  expect(entry.error).toMatchObject({ type: 'Error', message: 'outer', cause: { message: 'inner' } })
  expect(entry.error.stack).toContain('failure-log.test.ts')
})

test('a failure after the answer has the id that the answer had', () => {
  const request = new Request('http://localhost/health')
  const logged: unknown[] = []
  const fail = lateFailure((...line) => logged.push(line), request)
  const answered = lastRequestIdOf(request)
  const error = new Error('late')
  fail(error)
  expect(logged).toEqual([[answered, request, error]])
})
