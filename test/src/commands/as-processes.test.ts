// long: each command is a process
// Runs each command once as a process, and checks its exit code and the output on each stream. Tests next to the
// commands check their answers, in this process.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../../model/lines.ts'
import { runBackbook, runProcess } from '../../support/programs/program.ts'
import { temporaryFolder } from '../../support/server.ts'

const TRADE = {
  type: 'trade',
  msg: { market_ticker: TICKER, trade_id: 't', ts_ms: NOON + 2_000, yes_price_dollars: '0.4000', count_fp: '2.50' },
}
const folder = temporaryFolder()
beforeAll(async () => {
  const lines = [kalshiSnapshot([['0.2000', '5.00']]), kalshiDelta(1_000, '0.2100', '1.00'), TRADE]
  await Bun.write(join(folder.path, 'a.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const data = ['--data', join(folder.path, 'data')]
  const made = [
    await runBackbook(['ingest', join(folder.path, 'a.ndjson'), ...data]),
    await runBackbook(['backup', join(folder.path, 'made'), ...data]),
  ]
  expect(made.map(({ exitCode }) => exitCode)).toEqual([0, 0])
})
afterAll(() => folder[Symbol.dispose]())

const NOTHING = /^$/
const MARKET = `--venue kalshi --market ${TICKER}`
const ON_DAY = `${MARKET} --date ${DAY}`
/** Command line, exit code, stdout, stderr. */
const ENDS: [line: string, exitCode: number, out: RegExp, err: RegExp][] = [
  ['serve --print-config', 0, /^SETTING +VALUE +FROM\n/, NOTHING],
  ['record --config none.toml --check', 2, NOTHING, /^backbook: cannot read none\.toml: [^\n]+\n$/],
  ['mcp --url nonsense', 2, NOTHING, /^backbook: --url must be [^\n]+\n$/],
  ['ingest a.ndjson --data other', 0, /^1 file, 3 records in /, NOTHING],
  ['import nonsense a.ndjson', 2, NOTHING, /^backbook: [^\n]+, got "nonsense"\n$/],
  ['imports', 0, NOTHING, /^nothing was imported\n$/],
  ['keys create --user ann --name n', 0, /^bb_[^\n]+\n\nKey key_/, NOTHING],
  ['plans list', 0, /^PLAN +NAME /, NOTHING],
  ['markets', 0, /^venue,market,first_date,/, NOTHING],
  [`coverage ${MARKET}`, 0, /^date,record_count,/, NOTHING],
  [`info ${MARKET} --json`, 0, /^\{"market_ticker":.*\}\n$/, NOTHING],
  ['search nonsense --json', 0, /^\{"q":"nonsense",.*\}\n$/, /^no market has all these words\n$/],
  ['calendar --venue kalshi --json', 0, new RegExp(`"${DAY}"`), NOTHING],
  [`active --venue kalshi --date ${DAY} --json`, 0, new RegExp(TICKER), NOTHING],
  [`summary ${ON_DAY}`, 0, /^market,timestamp,/, NOTHING],
  [`trades ${ON_DAY}`, 0, /^market,[^\n]+\n.+\n$/, NOTHING],
  [`trade-summary ${ON_DAY}`, 0, /^market,timestamp,/, NOTHING],
  [`depth ${ON_DAY}`, 0, /^market,timestamp,/, NOTHING],
  [`depth-map ${ON_DAY} --format json`, 0, /^\{.*\}\n$/, NOTHING],
  [`book ${ON_DAY} --record 0`, 0, /\nSIDE +PRICE +SIZE\n/, NOTHING],
  [`changes ${ON_DAY}`, 0, /^market,[^\n]+\n.+\n$/s, NOTHING],
  [`export ${MARKET} -o records.ndjson`, 0, NOTHING, /^3 records in records\.ndjson\n$/],
  ['verify', 0, /^3 records in \d+ blocks? of 1 market day read\nno damage found\n$/, NOTHING],
  ['backup again', 0, /^\S*again: /, NOTHING],
  ['mirror nonsense --to mirrored', 2, NOTHING, /^backbook: [^\n]+"nonsense"[^\n]*\n$/],
  ['restore made --check', 0, /made of \S+ is whole: 3 records/, NOTHING],
  ['compact', 0, /^[0-9.]+ MB before, [0-9.]+ MB after/, NOTHING],
  ['sweep', 0, /has nothing to sweep/, NOTHING],
  ['copy --from data --to copied', 0, /^1 day of 1 market: 1 copied \(3 records, /, NOTHING],
  ['keep-slugs', 2, NOTHING, /^backbook: missing required argument 'data'; see --help\n$/],
  [`delete ${MARKET}`, 2, NOTHING, /^backbook: delete asks first on a terminal: give --yes/],
  ['demo --date yesterday', 2, NOTHING, /^backbook: --date must be a UTC day [^\n]+\n$/],
  ['--version', 0, /^\d+\.\d+\.\d+/, NOTHING],
  ['nonsense', 2, NOTHING, /^backbook: unknown command 'nonsense'; see --help\n$/],
  ['', 2, NOTHING, /^Usage: backbook /],
]

test.each(ENDS)('%s ends with %d', async (line, exitCode, out, err) => {
  const ended = await runProcess(line === '' ? [] : line.split(' '), { cwd: folder.path })
  expect(ended).toEqual({ exitCode, out: expect.stringMatching(out), err: expect.stringMatching(err) })
})

test('the list contains every command', async () => {
  const text = await Bun.file(new URL('../../../src/run-command.ts', import.meta.url)).text()
  const names = [...text.matchAll(/^ {2}'?([a-z-]+)'?: async/gm)].map(([, name]) => name!)
  expect(names).toContain('trade-summary')
  const tried = new Set(ENDS.map(([line]) => line.split(' ')[0]))
  expect(names.filter((name) => !tried.has(name))).toEqual([])
})
