// long: slow commands over a large store
// Runs `markets`, `coverage`, `summary` and `export` on one store, and compares them with a server on it.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { answerInProcess } from '../../../../workers/pool/answer-in-process.ts'
import * as made from '../../../support/command-store.ts'
import { csvRows } from '../../../support/compare/row-formats.ts'
import { runBackbook, runInShell, runWritingTo } from '../../../support/programs/program.ts'
import { AUTHORIZED, temporaryFolder, testApp } from '../../../support/server.ts'
import type { TestStore } from '../../../support/store.ts'

const { ASSETS, CONDITION, commandStore, DAY, DAY_AFTER, DELTAS, NOON, TICKER } = made
let store: TestStore
let folder: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  store = await commandStore()
  folder = temporaryFolder()
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await store.close()
})

const run = (line: string) => runWritingTo(folder.path, [...line.split(' '), '--data', store.folder])
const kalshi = (command: string) => `${command} --venue kalshi --market ${TICKER}`

/** Returns the bytes that a server on the same store sends. */
async function served(path: string): Promise<string> {
  const workers = {
    ...answerInProcess(store.store),
    stats: () => ({ threads: 0, running: 0, queued: 0, queueMax: 9, completed: 0 }),
  }
  const app = testApp({ catalogue: store.store.catalogue, workers, nowMs: Date.now })
  const response = await app.fetch(new Request(`http://localhost${path}`, { headers: AUTHORIZED }))
  expect(response.status).toBe(200)
  return response.text()
}

test('markets: a table, and JSON', async () => {
  const { out, err, exitCode } = await run('markets --format table')
  expect([err, exitCode]).toEqual(['', 0])
  const [head, polymarket, last, end] = out.split('\n').map((line) => line.split(/ {2,}/))
  expect(head).toEqual(['VENUE', 'MARKET', 'FIRST', 'LAST', 'DAYS', 'RECORDS'])
  expect(polymarket?.slice(0, 6)).toEqual(['polymarket', CONDITION, DAY, DAY, '1', '3'])
  expect(last?.slice(0, 6)).toEqual(['kalshi', TICKER, DAY, DAY_AFTER, '2', '120,004'])
  expect(end).toEqual([''])
  const { markets, ...page } = JSON.parse((await run('markets --json')).out)
  expect(page).toEqual({ offset: 0, limit: 100, total_count: 2 })
  expect(markets[1]).toEqual({
    ...{ venue: 'kalshi', market: TICKER, first_date: DAY, last_date: DAY_AFTER, days: 2 },
    records: DELTAS + 4,
  })
}, 30_000)

test.each([
  ['--venue kalshi', [TICKER], 1],
  ['--prefix kxt', [TICKER], 1],
  ['--prefix ABAB', [CONDITION], 1],
  ['--prefix none', [], 0],
  ['--limit 1', [CONDITION], 2],
  ['--limit 1 --offset 1', [TICKER], 2],
  ['--prefix kxt --offset 1', [], 1],
  ['--offset 2', [], 2],
])('markets %s', async (words, expected, totalCount) => {
  const { markets, total_count } = JSON.parse((await run(`markets --json ${words}`)).out)
  expect([markets.map(({ market }: { market: string }) => market), total_count]).toEqual([expected, totalCount])
})

test('coverage: a line for each day, and the answer of the endpoint', async () => {
  const { out } = await run(`${kalshi('coverage')} --format table`)
  const rows = out.split('\n').map((line) => line.split(/ {2,}/))
  expect(rows[1]).toEqual([DAY, '120,001', '120,001', '12:00:00', '12:19:59', '1', 'snapshot', '0', '0', '-'])
  expect(rows[2]).toEqual([DAY_AFTER, '3', '3', '12:00:01', '12:00:03', '1', 'opening book', '0', '0', '-'])
  expect(out).toMatch(/^DATE +BOOK +SNAPSHOTS +SKIPPED +CONFIRMED +CONTRADICTED +LONGEST SILENCE +HASHES AGREED +BEST/m)
  expect(rows[5]).toEqual([DAY, TICKER, '1', '0', '0', '0', '0.01 s', '-', '-'])
  const whole = await served(`/kalshi/market/coverage?ticker=${TICKER}`)
  expect((await run(`${kalshi('coverage')} --json`)).out).toBe(`${whole}\n`)
  const one = JSON.parse((await run(`${kalshi('coverage')} --json --date ${DAY_AFTER}`)).out)
  expect(one.dates.map(({ date }: { date: string }) => date)).toEqual([DAY_AFTER])
}, 30_000)

test('summary --json prints what a server sends, on one line', async () => {
  const { out, err, exitCode } = await run(`${kalshi('summary')} --date ${DAY} --resolution 1 --fill range --json`)
  expect([err, exitCode]).toEqual(['', 0])
  const path = `/kalshi/market/orderbook-summary?ticker=${TICKER}&date=${DAY}&resolution=1&fill=range`
  expect(out).toBe(`${await served(path)}\n`)
  expect(JSON.parse(out).data_points).toBe(43_200)
  const asset = `--venue polymarket --market ${CONDITION} --asset-id ${ASSETS[0]}`
  const window = `condition_id=${CONDITION}&asset_id=${ASSETS[0]}&start_timestamp=${NOON}&end_timestamp=${NOON + 59_999}`
  const times = `--start ${DAY}T12:00:00Z --end ${DAY}T12:00:59.999Z`
  expect((await run(`summary ${asset} ${times} --json`)).out).toBe(
    `${await served(`/polymarket/market/orderbook-summary?${window}`)}\n`,
  )
}, 30_000)

type Row = Record<string, number | boolean | string | null>
async function expectedRows(query: string): Promise<Row[]> {
  const { data } = JSON.parse(await served(`/kalshi/market/orderbook-summary?ticker=${TICKER}&${query}`))
  return data.map((bucket: Record<string, unknown>) => {
    const flat = Object.entries(bucket).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([part, each]) => [key.replace('_ohlc', `_${part}`), each])
        : [[key, value]],
    )
    return Object.fromEntries(flat) as Row
  })
}

test('CSV and Parquet contain the same numbers as JSON', async () => {
  const expected = await expectedRows(`date=${DAY}&resolution=1`)
  expect(expected.length).toBeGreaterThan(1_000)
  const flattened = expected.map((row) => ({ market: TICKER, ...row }))
  const csv = await run(`${kalshi('summary')} --date ${DAY} --resolution 1`)
  expect(csvRows(csv.out, ['market', 'trust'])).toEqual(flattened)
  const { err } = await run(`${kalshi('summary')} --date ${DAY} --resolution 1 -o day.parquet`)
  expect(err).toBe('43,200 buckets in day.parquet\n')
  const file = await asyncBufferFromFile(join(folder.path, 'day.parquet'))
  const compressors = { ZSTD: (bytes: Uint8Array) => new Uint8Array(Bun.zstdDecompressSync(bytes)) }
  const rows = await parquetReadObjects({ file, compressors })
  const numbers: Row[] = rows.map((row) => {
    const [timestamp, quote_count] = [Number(row['timestamp']), Number(row['quote_count'])]
    return { ...row, timestamp, quote_count }
  })
  expect(numbers).toEqual(flattened)
  const metadata = (await parquetMetadataAsync(file)).key_value_metadata
  expect(metadata).toContainEqual({ key: 'backbook.market_ticker', value: TICKER })
  expect(metadata).toContainEqual({ key: 'backbook.date', value: DAY })
}, 30_000)

test('Parquet has milliseconds even if the bounds are in seconds', async () => {
  const seconds = NOON / 1_000
  const window = `--start ${seconds} --end ${seconds + 9} --resolution 1`
  await run(`${kalshi('summary')} ${window} -o seconds.parquet`)
  const file = await asyncBufferFromFile(join(folder.path, 'seconds.parquet'))
  const compressors = { ZSTD: (bytes: Uint8Array) => new Uint8Array(Bun.zstdDecompressSync(bytes)) }
  const rows = await parquetReadObjects({ file, compressors })
  expect(rows.map((row) => Number(row['timestamp']))).toEqual(Array.from({ length: 10 }, (_, i) => NOON + i * 1_000))
  const metadata = (await parquetMetadataAsync(file)).key_value_metadata ?? []
  expect(metadata.filter(({ key, value }) => key === 'backbook.date' || value === 'null')).toEqual([])
  const table = await run(`${kalshi('summary')} ${window} --format table`)
  expect(table.out.split('\n')[1]).toMatch(/^2026-08-10 12:00:00 +\d+ +0\.\d+ /)
}, 30_000)

test('export writes all records of all days, as the raw endpoints return them', async () => {
  const { out, err, exitCode } = await run(kalshi('export'))
  expect([err, exitCode]).toEqual(['', 0])
  const days = await Promise.all([DAY, DAY_AFTER].map((date) => store.records('kalshi', TICKER, date)))
  const expected = days.flat()
  const lines = out.trimEnd().split('\n')
  expect(lines.length).toBe(DELTAS + 4)
  expect(lines.map((line) => JSON.parse(line))).toEqual(expected)
  const { data } = JSON.parse(await served(`/kalshi/market/data?ticker=${TICKER}&date=${DAY_AFTER}`))
  const one = await run(`${kalshi('export')} --date ${DAY_AFTER}`)
  expect(one.out).toBe(data.map((record: unknown) => `${JSON.stringify(record)}\n`).join(''))
}, 60_000)

test('export is limited to a window and an asset', async () => {
  const window = `--start ${DAY}T12:19:59.980Z --end ${DAY_AFTER}T12:00:02Z`
  const { out } = await run(`${kalshi('export')} ${window}`)
  const times = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).timestamp - NOON)
  expect(times).toEqual([1_199_980, 1_199_990, 86_401_000, 86_402_000])
  const asset = await run(`export --venue polymarket --market ${CONDITION} --asset-id ${ASSETS[1]}`)
  expect(
    asset.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).asset_id),
  ).toEqual([ASSETS[1]])
}, 30_000)

test.each([
  ['1970-01-01', '1972-12-31', 0],
  ['1970-01-01', `${DAY}T12:00:00.020Z`, 4],
  ['1970-01-01T00:00:00Z', `${NOON + 20}`, 4],
  [DAY, '9999-12-31', DELTAS + 4],
  ['1970-01-01', '9999-12-31', DELTAS + 4],
])(
  'times of before 1973 are no Unix seconds: from %s to %s',
  async (start, end, count) => {
    const { out, err } = await run(`${kalshi('export')} --start ${start} --end ${end}`)
    expect([err === '', out.split('\n').length - 1]).toEqual([count > 0, count])
  },
  30_000,
)

test.each(['one.ndjson', 'one.ndjson.gz', 'one.ndjson.zst'])(
  'export writes a complete %s, and replaces it only with --force',
  async (name) => {
    const line = `${kalshi('export')} --date ${DAY} -o ${name}`
    const { err, exitCode } = await run(line)
    expect([err, exitCode]).toEqual([`120,001 records in ${name}\n`, 0])
    const bytes = await Bun.file(join(folder.path, name)).bytes()
    const plain = name.endsWith('gz')
      ? Bun.gunzipSync(bytes)
      : name.endsWith('zst')
        ? Bun.zstdDecompressSync(bytes)
        : bytes
    expect(new TextDecoder().decode(plain)).toBe((await run(`${kalshi('export')} --date ${DAY}`)).out)
    const again = await run(line)
    expect([again.exitCode, again.err]).toEqual([
      2,
      `backbook: ${name} already exists: name another file, or use --force\n`,
    ])
    expect((await run(`${line} --force`)).exitCode).toBe(0)
    expect(readdirSync(folder.path).filter((each) => each.endsWith('.tmp'))).toEqual([])
  },
  60_000,
)

test.each([
  'export',
  `summary --date ${DAY} --resolution 1 --fill range`,
  `summary --date ${DAY} --resolution 1 --json`,
])(
  '%s may be read by head, which does not read it all',
  async (words) => {
    const line = `backbook ${words} --data '${store.folder}' --venue kalshi --market ${TICKER} | head -c 40 | wc -c`
    expect(await runInShell(line, folder.path)).toEqual({ exitCode: 0, out: '40\n', err: '' })
  },
  30_000,
)

test.each([
  ['summary --venue kalshi --market KXNONE --date 2026-08-10', 3, 'ticker KXNONE: see the command markets for what is'],
  ['export --venue kalshi --market KXNONE', 3, 'nothing is stored of the kalshi market "KXNONE"'],
  ['export --venue polymarket --market xyz', 2, '--market must be 64 hexadecimal digits'],
  ['export --venue kalshi --market KXNONE --date 2026-08-10', 3, 'Nothing is stored of the kalshi market'],
  ['coverage --venue kalshi --market KXNONE', 3, 'nothing is stored of the kalshi market "KXNONE"'],
  [`${kalshi('coverage')} --date 2026-08-12`, 3, 'on 2026-08-12'],
  [`${kalshi('coverage')} --date yesterday`, 2, '--date must be a UTC date written YYYY-MM-DD, got "yesterday"'],
  [kalshi('summary'), 2, '--date is required unless --start and --end are given'],
  [`${kalshi('summary')} --start 2026-08-10`, 2, '--end is required with --start'],
  [`${kalshi('summary')} --start now --end now`, 2, '--start must be Unix seconds'],
  [`${kalshi('summary')} --date 2026-08-10 --resolution 0`, 2, 'from 1 to 3600, got "0"'],
  [`${kalshi('summary')} --start 1 --end 2000000000 --resolution 1`, 2, 'must give at most 1000000 buckets'],
  [
    `summary --venue polymarket --market ${CONDITION} --date ${DAY}`,
    2,
    `a token of the market, ${ASSETS.join(' or ')}`,
  ],
  ['summary --venue polymarket --market xyz --date 2026-08-10 --asset-id 1', 2, '--market must be 64'],
  ['summary --venue other --market x', 2, '--venue must be one of polymarket, kalshi, got'],
  ['summary --venue kalshi', 2, '--market is required unless --event is given'],
  ['markets --limit 0', 2, 'must be a whole number from 1'],
  [`${kalshi('export')} --format csv`, 2, '--format must be one of ndjson, got "csv"'],
  [`${kalshi('export')} -o x.csv.gz`, 2, '--output must be .ndjson, got "x.csv.gz": for any other name give --format'],
  [`${kalshi('export')} -o x.parquet`, 2, 'the command summary writes tables\n'],
  [`${kalshi('summary')} --date ${DAY} -o x.parquet.gz`, 2, 'a Parquet file is compressed already'],
  [`${kalshi('export')} -o none/x.ndjson.gz`, 1, 'cannot write none/x.ndjson.gz: ENOENT'],
  [`${kalshi('export')} -o /dev/null --force`, 2, '/dev/null is not a file'],
])('%s ends with %d', async (line, exitCode, message) => {
  const ended = await run(line)
  expect([ended.exitCode, ended.out]).toEqual([exitCode, ''])
  expect(ended.err).toContain(message)
  expect(ended.err).toMatch(/^backbook: [^\n]+\n$/)
})

test.each(['markets', kalshi('coverage'), kalshi('summary'), kalshi('export'), 'verify'])(
  '%s makes no store in a folder without one',
  async (line) => {
    using empty = temporaryFolder()
    const { exitCode, err } = await runBackbook([...line.split(' '), '--data', empty.path])
    expect([exitCode, err]).toEqual([2, expect.stringContaining('there is no store in')])
    expect(readdirSync(empty.path)).toEqual([])
  },
)

test('verify prints its counts, as text and as JSON', async () => {
  const { out, err, exitCode } = await run('verify')
  expect([out, err, exitCode]).toEqual(['120,007 records in 10 blocks of 3 market days read\nno damage found\n', '', 0])
  expect(JSON.parse((await run('verify --json')).out)).toMatchObject({ records: DELTAS + 7, damage: [] })
}, 30_000)

test('commands find the data folder of the settings', async () => {
  await Bun.write(join(folder.path, 'settings.toml'), `data = ${JSON.stringify(store.folder)}\n`)
  const options = { cwd: folder.path, env: { BACKBOOK_CONFIG: 'settings.toml' } }
  expect(JSON.parse((await runBackbook(['markets', '--json'], options)).out).total_count).toBe(2)
  const other = await runBackbook(['markets', '--json'], { env: { BACKBOOK_DATA: store.folder } })
  expect(JSON.parse(other.out).total_count).toBe(2)
})
