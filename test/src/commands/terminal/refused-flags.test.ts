// Flags that would change nothing of what is written: they are refused, and nothing is written.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../../model/lines.ts'
import { runBackbook } from '../../../support/program.ts'
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
  [
    `${kalshi('export')} --resolution 60`,
    '--resolution: given "60", accepted is none for records; --resolution is for',
  ],
  [`${kalshi('export')} --fill none -o x.ndjson`, '--fill: given "none", accepted is none for records; --fill is for'],
  [
    `${kalshi('export')} --what summary -o b.xyz`,
    '--output: given "b.xyz", accepted is .csv, .parquet, .json for summary',
  ],
  [
    `${kalshi('summary')} --date ${DAY} --json --format csv`,
    '--json: given with --format csv, accepted is one of them',
  ],
  [
    `${kalshi('summary')} --date ${DAY} --asset-id 1`,
    '--asset-id: given "1", accepted are --market, --date, --start, --end, --resolution, --fill with --venue kalshi',
  ],
  [
    `${kalshi('export')} --asset-id 1`,
    '--asset-id: given "1", accepted are --market, --date, --start, --end with --venue kalshi, whose markets are one book',
  ],
  [
    `${kalshi('export')} --what summary --asset-id 1`,
    '--end, --resolution, --fill with --venue kalshi, whose markets are one book each',
  ],
  [`${kalshi('coverage')} --resolution 60`, "unknown option '--resolution'"],
  ['markets KXNONE', 'too many arguments'],
])('%s ends with 2', async (line, message) => {
  using folder = temporaryFolder()
  const { out, err, exitCode } = await runBackbook([...line.split(' '), '--data', store.folder], { cwd: folder.path })
  expect([exitCode, out, readdirSync(folder.path)]).toEqual([2, '', []])
  expect(err).toContain(message)
  expect(err).toMatch(/^backbook: [^\n]+\n$/)
})

test('--json goes with --format json', async () => {
  const words = `${kalshi('summary')} --date ${DAY} --json --format json`.split(' ')
  const { err, exitCode } = await runBackbook([...words, '--data', store.folder])
  expect([err, exitCode]).toEqual(['', 0])
})
