// Tests what `export --to` prints, what it refuses, and with which exit code.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { kalshiDelta, kalshiSnapshot, priceChange, book as snapshot, TICKER } from '../../../test/model/lines.ts'
import { ASSETS, CONDITION, DAY, DAY_AFTER } from '../../../test/support/command-store.ts'
import { runWritingTo } from '../../../test/support/programs/program.ts'
import { temporaryFolder } from '../../../test/support/server.ts'
import { TestStore } from '../../../test/support/store.ts'

const EVENT = 'KXTEST'
const UNSEEN = `0x${'cd'.repeat(32)}`
let store: TestStore
let folder: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  store = new TestStore()
  const markets = [TICKER, 'KXTEST-2'].map((ticker) => ({ market: { ticker, event_ticker: EVENT, title: 'Test?' } }))
  const lines = [
    ...markets,
    kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]),
    kalshiDelta(0, '0.2000', '1.50'),
    kalshiDelta(86_400_000, '0.2000', '1.00'),
    ...ASSETS.map((asset) => snapshot(0, [['0.40', '10']], [['0.45', '20']], asset)),
    priceChange(500, { asset_id: ASSETS[0], price: '0.41', size: '3', side: 'BUY' }),
    ...[1, 2].map((size) => ({
      ...priceChange(size, { asset_id: '333', price: '0.41', size: String(size), side: 'BUY' }),
      market: UNSEEN,
    })),
  ]
  await store.loadLines(
    'all.ndjson',
    lines.map((line) => JSON.stringify(line)),
  )
  await store.store.flushed()
  folder = temporaryFolder()
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await store.close()
})

const run = (line: string) => runWritingTo(folder.path, ['export', ...line.split(' '), '--data', store.folder])

test.each([
  ['all stored days', `--market ${TICKER}`, [DAY, DAY_AFTER]],
  ['a date', `--market ${TICKER} --date ${DAY_AFTER}`, [DAY_AFTER]],
  ['several dates', `--market ${TICKER} --date ${DAY} ${DAY_AFTER}`, [DAY, DAY_AFTER]],
  ['a range, which may go beyond what is stored', `--market ${TICKER} --date 2020-01-01..${DAY}`, [DAY]],
  ['dates with commas, each once', `--market ${TICKER} --date ${DAY},${DAY}..${DAY_AFTER}`, [DAY, DAY_AFTER]],
  ['an event, of which one market has no records', `--event ${EVENT} --date ${DAY}`, [DAY]],
  ['a market in small letters, twice', `--market ${TICKER.toLowerCase()} --market ${TICKER}`, [DAY, DAY_AFTER]],
])(
  'of %s',
  async (name, flags, dates) => {
    const path = name.replaceAll(/\W/g, '-')
    const { out, err, exitCode } = await run(`--to hftbacktest --venue kalshi ${flags} -o ${path}`)
    expect([out, exitCode]).toEqual(['', 0])
    const days = dates.length === 1 ? '1 day' : `${dates.length} days`
    expect(err).toContain(`in ${path}: 1 market, ${days}\n`)
    const files = dates.map((date) => `${TICKER}_${date.replaceAll('-', '')}`)
    expect(readdirSync(`${folder.path}/${path}/kalshi`).sort()).toEqual(
      files.flatMap((file) => [`${file}.json`, `${file}.npz`]),
    )
  },
  30_000,
)

test('of both tokens of a market, or of one', async () => {
  const of = (flags: string) => run(`--to hftbacktest --venue polymarket --market ${CONDITION} ${flags}`)
  expect(await of('-o both')).toMatchObject({ exitCode: 0 })
  expect(await of(`-o one --asset-id ${ASSETS[1]}`)).toMatchObject({ exitCode: 0 })
  const names = (path: string) =>
    readdirSync(`${folder.path}/${path}/polymarket`)
      .filter((name) => name.endsWith('npz'))
      .sort()
  expect(names('both')).toEqual(ASSETS.map((asset) => `${asset}_20260810.npz`))
  expect(names('one')).toEqual([`${ASSETS[1]}_20260810.npz`])
}, 30_000)

test('a second run says that nothing changed', async () => {
  const line = `--to nautilus --venue kalshi --market ${TICKER} -o twice`
  const first = await run(line)
  expect(first.err).toMatch(
    /^13 rows in 5 files \(0\.0 MB\) in twice: 1 market, 2 days\n {2}8 order book deltas\n {2}4 quotes\n$/,
  )
  const second = await run(line)
  expect(second.err).toContain('1 market, 2 days, 2 days as before\n')
  expect([first.exitCode, second.exitCode]).toEqual([0, 0])
}, 30_000)

test('a count of one is written in the singular', async () => {
  const one = `--venue polymarket --market ${CONDITION} --asset-id ${ASSETS[1]}`
  const { err } = await run(`--to tardis ${one} -o singular`)
  expect(err).toMatch(/in singular: 1 market, 1 day\n {2}\d+ changes\n {2}1 book snapshot\n {2}1 quote\n$/)
}, 30_000)

test.each(['nautilus', 'hftbacktest', 'tardis', 'parquet-dataset'])(
  '%s reports changes of a book that never had a snapshot',
  async (target) => {
    const { err, exitCode } = await run(`--to ${target} --venue polymarket --market ${UNSEEN} -o unseen-${target}`)
    expect(exitCode).toBe(0)
    expect(err).toEndWith('\n  2 changes of a book that was never seen whole\n')
  },
  30_000,
)

const NAUTILUS = '--to nautilus --venue kalshi'
const OTHER = 'KXNOT-1'
test.each([
  [`--to parquet --venue kalshi --market ${TICKER} -o x`, 2, '--to must be one of nautilus'],
  [`${NAUTILUS} -o x`, 2, '--market or --event is required with --to'],
  [`${NAUTILUS} --market ${TICKER}`, 2, '--output is required with --to: the folder to write to'],
  [`${NAUTILUS} --market ${TICKER} -o -`, 2, '--output is required with --to: the folder to write to'],
  [`${NAUTILUS} --market ${TICKER} -o `, 2, '--output is required with --to: the folder to write to'],
  [`${NAUTILUS} --market ${TICKER} -o /dev/null/x`, 1, 'the folder /dev/null/x cannot be written: ENOTDIR'],
  [`${NAUTILUS} --market ${TICKER} -o x --date 2026-8-1`, 2, 'or two of them as A..B, got "2026-8-1"'],
  [`${NAUTILUS} --market ${TICKER} -o x --date 2026-08-10..`, 2, 'or two of them as A..B, got "2026-08-10.."'],
  [
    `${NAUTILUS} --market ${TICKER} -o x --date ${DAY_AFTER}..${DAY}`,
    2,
    'a range whose first date is not after its last',
  ],
  [`${NAUTILUS} --market a/b -o x`, 2, '--market must be 1 to 128 characters of letters'],
  [`${NAUTILUS} --market ${TICKER} ${OTHER} -o x`, 3, `nothing is stored of the kalshi market ${OTHER}\n`],
  [`${NAUTILUS} --market ${TICKER} -o x --date 2020-01-01`, 3, `the kalshi market ${TICKER} on 2020-01-01\n`],
  [`${NAUTILUS} --event NONE -o x`, 3, 'no market is known of the kalshi event NONE\n'],
  [
    `${NAUTILUS} --event ${EVENT} --date 2020-01-01 -o x`,
    3,
    `the markets of the kalshi event ${EVENT} on 2020-01-01\n`,
  ],
  [`${NAUTILUS} --market ${TICKER} -o x --asset-id 1`, 2, '--asset-id is not for --venue kalshi'],
  [`${NAUTILUS} --market ${TICKER} -o x --format ndjson`, 2, '--format is not for --to, which writes whole days'],
  [`${NAUTILUS} --market ${TICKER} -o x --start 2026-08-10`, 2, '--start is not for --to, which writes whole days'],
  [`${NAUTILUS} --market ${TICKER} -o x --force`, 2, '--force is not for --to, which writes whole days'],
  [`${NAUTILUS} --market ${TICKER} -o x --precision 32`, 2, '--precision must be one of 128, 64, got "32"'],
  [
    `--to hftbacktest --venue kalshi --market ${TICKER} -o x --precision 64`,
    2,
    '--precision is not for --to hftbacktest',
  ],
  [
    `--to nautilus --venue polymarket --market ${CONDITION} --asset-id 9 -o x`,
    3,
    `nothing is stored of the asset 9 of the polymarket market ${CONDITION}, but of ${ASSETS.join(' and ')}\n`,
  ],
  [`--venue kalshi --market ${TICKER} ${OTHER}`, 2, '--market takes one value, got 2: only --to takes several'],
  [`--venue kalshi --market ${TICKER} --date ${DAY} ${DAY_AFTER}`, 2, '--date takes one value, got 2'],
  [`--venue kalshi --market ${TICKER} --event ${EVENT}`, 2, '--event needs --to: give nautilus'],
  [`--venue kalshi --market ${TICKER} --precision 64`, 2, '--precision is for --to nautilus\n'],
  ['--venue kalshi', 2, "required option '--market <id>' not specified"],
])(
  '%s is refused',
  async (line, exitCode, expectedMessage) => {
    const ended = await run(line)
    expect([ended.out, ended.exitCode]).toEqual(['', exitCode])
    expect(ended.err).toContain(expectedMessage)
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(`${folder.path}/x`)).toBe(false)
  },
  30_000,
)
