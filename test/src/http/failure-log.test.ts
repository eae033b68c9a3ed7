// The line that an operator reads about a failure.

import { expect, spyOn, test } from 'bun:test'
import { logFailure } from '../../../src/http/failure-log.ts'

test('one JSON line, with the request id and the cause, without the query', () => {
  const spy = spyOn(console, 'error').mockImplementation(() => undefined)
  const error = new Error('outer', { cause: new Error('inner') })
  logFailure('id-1', new Request('http://localhost/health?secret=1'), error)
  const [line] = spy.mock.calls.map(([first]) => String(first))
  spy.mockRestore()
  expect(line).not.toContain('secret')
  expect(line).not.toContain('\n')
  const entry = JSON.parse(line ?? '')
  expect(entry).toMatchObject({ level: 'error', request_id: 'id-1', method: 'GET', path: '/health' })
  expect(entry.error).toContain('outer')
  expect(entry.error).toContain('inner')
})
