// Tests the log: JSON that can be parsed, text that cannot control a terminal, and no secret in either.

import { expect, test } from 'bun:test'
import { createLog, type LogSettings } from './log.ts'

function logged(settings: LogSettings, write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = []
  write(createLog({ format: 'json', ...settings, write: (line) => lines.push(line) }))
  return lines
}

test('a line is one object with time, level, message and its fields', () => {
  const [line] = logged({}, (log) => log.info({ request_id: 'a', bytes: 3 }, 'request'))
  const { time, ...entry } = JSON.parse(line!)
  expect(entry).toEqual({ level: 'info', request_id: 'a', bytes: 3, message: 'request' })
  expect(new Date(time).toISOString()).toBe(time)
})

test('lines below the level are not written', () => {
  const all = (log: ReturnType<typeof createLog>) => {
    log.debug('1')
    log.info('2')
    log.error('3')
  }
  const levels = (['debug', 'info', 'error', 'silent'] as const).map((level) => logged({ level }, all).length)
  expect(levels).toEqual([3, 2, 1, 0])
})

test('an error has its stack, its code and its causes, and no other property', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', parameters: ['hunter2'] })
  const [line] = logged({}, (log) => log.error({ error: new TypeError('outer', { cause }) }, 'failed'))
  const { error } = JSON.parse(line!)
  expect(error).toMatchObject({ type: 'TypeError', message: 'outer', cause: { code: 'ECONNREFUSED' } })
  expect(error.stack).toContain('log.test.ts')
  expect(line).not.toContain('hunter2')
  expect(JSON.parse(logged({}, (log) => log.error({ error: 'text' }))[0]!).error).toEqual({
    type: 'string',
    message: 'text',
  })
})

const KEY = `bb_${'k'.repeat(43)}`
test.each([
  [`/keys/${KEY}/name`, KEY],
  [`/Bearer%20${KEY}`, KEY],
  [`/x%2F${KEY}`, KEY],
  ['/x%20sk_live_hunter2hunter2', 'hunter2'],
  ['/x%2Fwhsec_hunter2hunter2', 'hunter2'],
  ['/authorization:%20Basic%20aHVudGVyMg==', 'aHVudGVyMg'],
  ['connect postgres://ann:hunter2@db.example:5432/backbook failed', 'hunter2'],
  ['connect postgres://ann:p@ss:hunter2@db.example/backbook failed', 'hunter2'],
  ['authorization: Bearer hunter2hunter2', 'hunter2'],
  ['Authorization: Basic aHVudGVyMg==', 'aHVudGVyMg'],
  ['key sk_live_hunter2hunter2 is wrong', 'hunter2'],
  ['whsec_hunter2hunter2', 'hunter2'],
  ['the admin said "a\\very secret+token" again', 'secret+token'],
  ['/x?token=a%5Cvery%20secret%2Btoken', 'secret%2Btoken'],
])('%p is logged without its secret', (text, secret) => {
  for (const format of ['json', 'text'] as const) {
    const [line] = logged({ format, secrets: ['a\\very secret+token', null] }, (log) => {
      log.error({ path: text, error: new Error(text, { cause: new Error(text) }) }, text)
    })
    expect(line).not.toContain(secret)
    expect(line).toContain('[secret]')
    if (format === 'json') expect(JSON.parse(line!).level).toBe('error')
  }
})

test.each(['/api/v1/kalshi/market/data', 'http://127.0.0.1:8080/docs', 'key_0123456789abcdef01234567'])(
  '%p is no secret',
  (text) => expect(logged({}, (log) => log.info({ text }))[0]).toContain(text),
)

test('text for a terminal is one line, and what a client sends cannot steer the terminal', () => {
  const hostile = 'curl\n12:00:00.000 ERROR forged\u001b[2J\u009b31m\u202e\r'
  const [line] = logged({ format: 'text' }, (log) => log.info({ status: 200, path: '/a/b', agent: hostile }, 'request'))
  expect(line).toMatch(/^[0-9:.]{12} INFO {2}request status=200 path=\/a\/b agent="curl\\n/)
  expect(line!.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('an error on a terminal has its stack below it', () => {
  const [text] = logged({ format: 'text' }, (log) => log.error({ error: new Error('gone') }, 'failed'))
  const [first, ...stack] = text!.trimEnd().split('\n')
  expect(first).toEndWith('ERROR failed')
  expect(stack[0]).toBe('    Error: gone')
  expect(stack.length).toBeGreaterThan(1)
})

test('a JSON line cannot be broken by what a client sends', () => {
  const [line] = logged({}, (log) => log.info({ agent: 'a"}\n{"level":"error"' }, 'request'))
  expect(line!.trimEnd()).not.toContain('\n')
  expect(JSON.parse(line!).agent).toBe('a"}\n{"level":"error"')
})
