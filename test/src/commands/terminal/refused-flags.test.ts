// Flags that would not change the output are refused, and nothing is written.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../../model/lines.ts'
import { runBackbook, runWritingTo } from '../../../support/programs/program.ts'
import { temporaryFolder } from '../../../support/server.ts'
import { TestStore } from '../../../support/store.ts'

let store: TestStore
beforeAll(async () => {
  store = new TestStore()
  const lines = [kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]), kalshiDelta(1_000, '0.2100', '1.00')]
  await store.loadLines(
    'one.ndjson',
    lines.map((line) => JSON.stringify(line)),
  )
  await store.store.flushed()
})
afterAll(() => store.close())

const kalshi = (command: string) => `${command} --venue kalshi --market ${TICKER}`

test.each([
  [`${kalshi('export')} --resolution 60`, "unknown option '--resolution'"],
  [`${kalshi('export')} -o b.xyz`, '--output must be .ndjson, got "b.xyz": for any other name give --format ndjson'],
  [
    `${kalshi('summary')} --date ${DAY} --json --format csv`,
    '--json and --format csv contradict each other: give one of them',
  ],
  [
    `${kalshi('summary')} --date ${DAY} --asset-id 1`,
    'a kalshi market has one book: its flags are --market, --date, --start, --end, --resolution, --fill, --trust, --source\n',
  ],
  [
    `${kalshi('export')} --asset-id 1`,
    '--asset-id is not for --venue kalshi: a kalshi market has one book: its flags are --market, --date, --start, --end, --source\n',
  ],
  [`${kalshi('coverage')} --resolution 60`, "unknown option '--resolution'"],
  ['markets KXNONE', 'too many arguments'],
])('%s ends with 2', async (line, message) => {
  using folder = temporaryFolder()
  const { out, err, exitCode } = await runWritingTo(folder.path, [...line.split(' '), '--data', store.folder])
  expect([exitCode, out, readdirSync(folder.path)]).toEqual([2, '', []])
  expect(err).toContain(message)
  expect(err).toMatch(/^backbook: [^\n]+\n$/)
})

test('--json goes with --format json', async () => {
  const words = `${kalshi('summary')} --date ${DAY} --json --format json`.split(' ')
  const { err, exitCode } = await runBackbook([...words, '--data', store.folder])
  expect([err, exitCode]).toEqual(['', 0])
})
