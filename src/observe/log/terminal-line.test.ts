// A log line for a terminal is a single line, and no value in it moves the cursor.

import { expect, test } from 'bun:test'
import { lineForTerminal } from './terminal-line.ts'

const entry = { time: '2026-08-10T12:00:00.250Z', level: 'info', message: 'listening' }

test('time, level, message, and the other fields', () => {
  expect(lineForTerminal(JSON.stringify({ ...entry, url: 'http://a:1/b', title: 'two words', n: 5 }))).toBe(
    '12:00:00.250 INFO  listening url=http://a:1/b title="two words" n=5\n',
  )
})

test('an error has its stack below it', () => {
  const line = lineForTerminal(JSON.stringify({ ...entry, level: 'error', error: { stack: 'Error: x\n    at a' } }))
  expect(line).toBe('12:00:00.250 ERROR listening\n    Error: x\n        at a\n')
  expect(lineForTerminal(JSON.stringify({ ...entry, error: { message: 'x' } }))).toEndWith('\n    x\n')
})

test('control characters are escaped everywhere', () => {
  const line = lineForTerminal(
    JSON.stringify({ ...entry, message: 'a\u001b[2Jb', path: '\u001b[31m', error: { message: '\u0007' } }),
  )
  expect(line.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})
