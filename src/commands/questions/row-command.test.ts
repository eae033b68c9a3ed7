// Tests a command whose flags and formats are made from its question.

import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { commandStore, DAY, TICKER } from '../../../test/support/command-store.ts'
import { arrowRows, csvRows, ndjsonRows } from '../../../test/support/compare/row-formats.ts'
import { runBackbook, runWritingTo } from '../../../test/support/programs/program.ts'
import { temporaryFolder } from '../../../test/support/server.ts'

const folder = temporaryFolder()
const store = await commandStore()
afterAll(async () => {
  await store.close()
  folder[Symbol.dispose]()
})

const summary = (more = '') =>
  runWritingTo(
    folder.path,
    `summary --venue kalshi --market ${TICKER} --date ${DAY} ${more} --data ${store.folder}`.trim().split(/ +/),
  )

test('every format can be written to stdout, or to a file with its extension', async () => {
  const times = (rows: readonly object[]) => rows.map((row) => (row as { timestamp: number }).timestamp)
  const csv = times(csvRows((await summary()).out, ['market', 'trust']))
  // The day has 720 minutes from noon on; the next day continues the book.
  expect(csv.length).toBe(720)
  expect(times(ndjsonRows((await summary('--format ndjson')).out))).toEqual(csv)
  expect((await summary('-o rows.arrow')).err).toBe('720 buckets in rows.arrow\n')
  const { rows, metadata } = arrowRows(await Bun.file(join(folder.path, 'rows.arrow')).arrayBuffer())
  expect(times(rows)).toEqual(csv)
  expect(metadata.get('backbook.data_points')).toBe('720')
})

test('a table has under each head the column that it names', async () => {
  const columns = [
    'quote_count',
    'best_bid',
    'best_bid_size',
    'best_ask',
    'best_ask_size',
    'mid_price',
    'spread',
    'trust',
  ]
  const [head, ...lines] = (await summary('--format table')).out.trimEnd().split('\n')
  expect(head!.split(/ {2,}/)).toEqual(['TIME (UTC)', 'QUOTES', 'BID', 'SIZE', 'ASK', 'SIZE', 'MID', 'SPREAD', 'TRUST'])
  const rows = csvRows((await summary()).out, ['market', 'trust']) as Record<string, unknown>[]
  const expected = rows.map((row) => columns.map((name) => String(row[name] ?? '-')))
  expect(lines.map((line) => line.trim().split(/ +/).slice(2))).toEqual(expected)
})

test('refuses a file name without a known extension', async () => {
  const { err, exitCode } = await summary('-o rows.xlsx')
  expect([err, exitCode]).toEqual([
    'backbook: --output must be .json, .ndjson, .csv, .arrow or .parquet, got "rows.xlsx": for any other name give --format\n',
    2,
  ])
})

test('several markets are one answer, whichever the format', async () => {
  const both = (more: string) =>
    runWritingTo(
      folder.path,
      `summary --venue kalshi --market ${TICKER},KX-NONE --date ${DAY} ${more} --data ${store.folder}`
        .trim()
        .split(/ +/),
    )
  const alone = await summary('--json')
  const { markets, ...shared } = JSON.parse((await both('--json')).out)
  expect({ ...shared, ...markets[0] }).toEqual(JSON.parse(alone.out))
  expect(markets[1]).toMatchObject({ market_ticker: 'KX-NONE', error: { code: 'market_not_stored' } })
  expect((await both('--format csv')).out).toBe((await summary('--format csv')).out)
  expect((await both('-o both.parquet')).err).toBe(
    '720 buckets in both.parquet\n' +
      'Nothing is stored of the kalshi market with ticker KX-NONE: see the command markets for what is\n',
  )
  expect((await both('--format table')).out).toBe(`\n${TICKER}\n${(await summary('--format table')).out}`)
})

test('several markets are refused in words of the command line', async () => {
  const of = (list: string) =>
    runBackbook(`summary --venue kalshi --market ${list} --date ${DAY} --data ${store.folder}`.split(' '))
  const none = 'Nothing is stored of any of the 2 requested books: see the command markets'
  expect(await of('KX-A,KX-B')).toMatchObject({ err: `backbook: ${none}\n`, exitCode: 3 })
  expect(await of('KX-A,kx-a')).toMatchObject({
    err: 'backbook: --market must name each once, got "kx-a" twice\n',
    exitCode: 2,
  })
})
