// A capture that an attacker wrote is only data. It changes only the store and the rejects. Its text on a terminal
// cannot move the cursor or look like a line of the program.

import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeControls } from '../../src/observe/log/escape-controls.ts'
import { kalshiTrade, TICKER } from '../model/lines.ts'
import { runBackbook } from '../support/programs/program.ts'
import { temporaryFolder } from '../support/server.ts'

/** Matches characters that control a terminal, break a line, or change the direction of text. */
const CONTROLS = /[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/u
const ESCAPE = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202e'

const NAMES = [
  `a${ESCAPE}.ndjson`,
  'a\nbackbook: all is well.ndjson',
  '..ndjson',
  '...ndjson',
  '-rf.ndjson',
  '%2e%2e%2fevil.ndjson',
  '..\\..\\evil.ndjson',
  `${'é'.repeat(120)}.ndjson`,
  `${'n'.repeat(240)}.ndjson`,
]

/** Lines that are rejected. The reason of each rejection quotes a part of the line. */
const HOSTILE = [
  { type: 'trade', sid: 1, seq: 1, msg: { market_ticker: `KX${ESCAPE}\nbackbook: all is well` } },
  { type: `tr${ESCAPE}ade`, sid: 1 },
  { event_type: `bo${ESCAPE}ok`, timestamp: '1' },
  { event_type: 'book', market: `0x${ESCAPE}`, asset_id: '1' },
  { type: 'trade', ticker: '../../../evil' },
  { type: 'trade', ticker: '' },
  { event_type: 'book', market: '../../../evil', bids: [], asks: [] },
]

test.each(NAMES)('a capture named %j is loaded, and its rejects are stored in their folder', async (name) => {
  using folder = temporaryFolder()
  const captures = join(folder.path, 'captures')
  mkdirSync(captures)
  const lines = [...HOSTILE, kalshiTrade(0, 'a')].map((line) => JSON.stringify(line))
  writeFileSync(join(captures, name), `${lines.join('\n')}\n${ESCAPE} is no JSON\n`)
  const before = readdirSync(folder.path).sort()
  const loaded = await runBackbook(['ingest', '--data', join(folder.path, 'data'), captures])
  expect(loaded).toMatchObject({ exitCode: 0, err: '' })
  expect(loaded.out).not.toMatch(CONTROLS)
  expect(loaded.out.split('\n').filter((line) => line.startsWith('backbook'))).toEqual([])
  expect(loaded.out).toContain('8 lines could not be understood')

  expect(readdirSync(folder.path).sort()).toEqual([...before, 'data'])
  expect(readdirSync(join(folder.path, 'data')).sort()).toEqual(['rejects', 'store'])
  const rejectFiles = readdirSync(join(folder.path, 'data', 'rejects'))
  expect(rejectFiles).toHaveLength(1)
  expect(rejectFiles[0]).not.toMatch(CONTROLS)
  const rejects = readFileSync(join(folder.path, 'data', 'rejects', rejectFiles[0]!), 'utf8')
    .trimEnd()
    .split('\n')
  // The rejects contain every line.
  expect(rejects.map((line) => JSON.parse(line).text)).toEqual([...lines.slice(0, -1), `${ESCAPE} is no JSON`])
})

test('names of built-in object properties work as markets and fields', async () => {
  using folder = temporaryFolder()
  const capture = join(folder.path, 'c.ndjson')
  const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const lines = [
    ...odd.map((market_ticker, n) => ({ ...kalshiTrade(n, 'a'), msg: { ...kalshiTrade(n, 'a').msg, market_ticker } })),
    ...odd.map((type) => ({ ...kalshiTrade(9, 'b'), type })),
  ].map((line) => JSON.stringify(line))
  lines.push(JSON.stringify(kalshiTrade(10, 'c')).replace('"trade_id"', '"__proto__":{"polluted":1},"trade_id"'))
  writeFileSync(capture, `${lines.join('\n')}\n`)
  const data = join(folder.path, 'data')
  const loaded = await runBackbook(['ingest', '--data', data, '--json', capture])
  expect(JSON.parse(loaded.out)).toMatchObject({ records: lines.length, rejected: 0 })
  const exported = await runBackbook(['export', '--data', data, '--venue', 'kalshi', '--market', TICKER])
  expect(exported.out).toContain('"__proto__":{"polluted":1}')
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('text of a capture is shown without its control characters', () => {
  expect(escapeControls(`Müller – 日本 🙂${ESCAPE}\n`)).toBe(
    'Müller – 日本 🙂\\u001b[2J\\u001b]0;title\\u0007\\u009b31m\\u202e\\u000a',
  )
  expect(escapeControls('\u{e0041}')).toBe('\\udb40\\udc41')
})
