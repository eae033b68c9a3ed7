// Commands that return the same as an endpoint: many markets, an event, a depth map. Compares each command with a
// server on the same store.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { answerInProcess } from '../../../../workers/pool/answer-in-process.ts'
import { ASSETS, CONDITION, commandStore, DAY, DAY_AFTER, NOON, TICKER } from '../../../support/command-store.ts'
import { runWritingTo } from '../../../support/programs/program.ts'
import { AUTHORIZED, fakeWorkers, temporaryFolder, testApp } from '../../../support/server.ts'
import type { TestStore } from '../../../support/store.ts'

const NONE = 'KXTEST-2'
const folder = temporaryFolder()
let store: TestStore
beforeAll(async () => {
  store = await commandStore()
  const markets = [TICKER, NONE].map((ticker) => ({ ticker, event_ticker: 'KXTEST', title: 'Up?' }))
  const tokens = { outcomes: '["Up", "Down"]', clobTokenIds: JSON.stringify(ASSETS) }
  const gamma = { slug: 'ups', title: 'Ups', markets: [{ conditionId: CONDITION, question: 'Up?', ...tokens }] }
  await store.loadLines(
    'm.ndjson',
    [{ event: { event_ticker: 'KXTEST', title: 'T' }, markets }, gamma].map((each) => JSON.stringify(each)),
  )
  await store.store.flushed()
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await store.close()
})

const run = (line: string) => runWritingTo(folder.path, [...line.split(' '), '--data', store.folder])

/** Returns the bytes that a server on the same store sends. */
async function served(path: string): Promise<Buffer> {
  const workers = { ...fakeWorkers(), ...answerInProcess(store.store) }
  const app = testApp({ catalogue: store.store.catalogue, workers, nowMs: Date.now })
  const response = await app.fetch(new Request(`http://localhost${path}`, { headers: AUTHORIZED }))
  expect([path, response.status]).toEqual([path, 200])
  return Buffer.from(await response.arrayBuffer())
}

const [KALSHI, POLYMARKET] = ['--venue kalshi --event KXTEST', '--venue polymarket --event ups']
const WINDOW = `--start ${NOON} --end ${NOON + 59_999}`
const IN_PATH = `start_timestamp=${NOON}&end_timestamp=${NOON + 59_999}`
const OF_MANY: [words: string, path: string][] = [
  [`summary ${KALSHI} ${WINDOW}`, `/kalshi/markets/orderbook-summary?event=KXTEST&${IN_PATH}`],
  [`summary ${POLYMARKET} ${WINDOW}`, `/polymarket/markets/orderbook-summary?event=ups&${IN_PATH}`],
  [
    `trade-summary ${KALSHI} ${WINDOW} --fill range`,
    `/kalshi/markets/trade-summary?event=KXTEST&${IN_PATH}&fill=range`,
  ],
  [`depth ${POLYMARKET} ${WINDOW} --levels 2`, `/polymarket/markets/depth-summary?event=ups&${IN_PATH}&levels=2`],
]

describe.each(OF_MANY)('%s', (words, path) => {
  test('prints what a server sends, in every format', async () => {
    expect((await run(`${words} --json`)).out).toBe(`${await served(path)}\n`)
    for (const format of ['ndjson', 'csv', 'arrow', 'parquet']) {
      expect(await run(`${words} --force -o rows.${format}`)).toMatchObject({ exitCode: 0, out: '' })
      const file = Buffer.from(await Bun.file(join(folder.path, `rows.${format}`)).arrayBuffer())
      expect([format, file.equals(await served(`${path}&format=${format}`))]).toEqual([format, true])
    }
  }, 60_000)
})

test('rows of many markets name on stderr each market without stored data', async () => {
  const { out, err, exitCode } = await run(`summary ${KALSHI} ${WINDOW}`)
  expect([out.split('\n').length > 1, exitCode]).toEqual([true, 0])
  expect(err).toBe(`Nothing is stored of the kalshi market with ticker ${NONE}: see the command markets for what is\n`)
})

test.each([
  ['summary --fill none', '2026-08-20', 3, 'buckets'],
  ['trades --json', '2026-08-20', 3, 'trades'],
  ['export', '2026-08-20', 3, 'records'],
  ['trades', DAY_AFTER, 0, 'trades'],
])('%s of %s, where nothing is found, ends with %d', async (words, date, exitCode, unit) => {
  const ended = await run(`${words} --venue kalshi --market ${TICKER} --date ${date}`)
  expect(ended.exitCode).toBe(exitCode)
  expect(ended.err).toContain(`no ${unit} of the kalshi market ${TICKER} in that time: the command coverage shows`)
})

test.each(['--format csv', '--format ndjson', '--json'])(
  '%s has times in ms, whatever the unit of the bounds',
  async (form) => {
    const runWindow = (start: string, end: string) =>
      run(`summary --venue kalshi --market ${TICKER} --start ${start} --end ${end} --resolution 1 ${form}`)
    const { out } = await runWindow(`${NOON / 1_000}`, `${NOON / 1_000 + 9}`)
    expect(out).toContain(`${NOON}`)
    expect(out).toBe((await runWindow(`${DAY}T12:00:00Z`, `${NOON + 9_999}999`)).out)
  },
)

describe('book', () => {
  test.each([
    [`${POLYMARKET} --timestamp ${NOON} --depth 1`, `/polymarket/markets/book?event=ups&timestamp=${NOON}&depth=1`],
    [
      `--venue kalshi --market ${TICKER},${NONE} --timestamp ${NOON}`,
      `/kalshi/markets/book?tickers=${TICKER},${NONE}&timestamp=${NOON}`,
    ],
    [
      `--venue polymarket --market ${CONDITION}:${ASSETS[1]} --timestamp ${NOON}`,
      `/polymarket/markets/book?books=${CONDITION}:${ASSETS[1]}&timestamp=${NOON}`,
    ],
  ])('of %s is what a server sends', async (words, path) => {
    expect((await run(`book ${words} --json`)).out).toBe(`${await served(path)}\n`)
  })

  test('of several books prints a table for each, under its name, or the reason why there is none', async () => {
    const { out } = await run(`book --venue kalshi --event KXTEST --timestamp ${NOON}`)
    const one = await run(`book --venue kalshi --market ${TICKER} --timestamp ${NOON}`)
    const none = `Nothing is stored of the kalshi market with ticker ${NONE}: see the command markets for what is`
    expect(out).toBe(`${TICKER}\n${one.out}\n${NONE}\n${none}\n`)
  })
})

describe('depth-map', () => {
  const words = `depth-map --venue kalshi --market ${TICKER} ${WINDOW} --resolution-ms 1000 --price-step 0.001`
  const path = `/kalshi/market/depth-map?ticker=${TICKER}&${IN_PATH}&resolution_ms=1000&price_step=0.001`
  test('prints what a server sends, in every format', async () => {
    expect((await run(`${words} --json`)).out).toBe(`${await served(path)}\n`)
    const lines = await run(words)
    expect(lines).toMatchObject({ out: (await served(`${path}&format=ndjson`)).toString(), err: '', exitCode: 0 })
    expect(lines.out.split('\n').length).toBeGreaterThan(60)
    expect(await run(`${words} -o map.arrow`)).toMatchObject({ out: '', err: 'the sizes in map.arrow\n' })
    const file = Buffer.from(await Bun.file(join(folder.path, 'map.arrow')).arrayBuffer())
    expect(file.equals(await served(`${path}&format=arrow`))).toBe(true)
  })

  test('refuses other formats', async () => {
    expect(await run(`${words} -o map.csv`)).toMatchObject({
      err: 'backbook: --output must be .json, .ndjson or .arrow, got "map.csv": for any other name give --format\n',
      exitCode: 2,
    })
    expect((await run(`${words} --format table`)).err).toContain('must be one of json, ndjson, arrow, got')
  })

  test('says if a time has no book', async () => {
    const { out, err, exitCode } = await run(`depth-map --venue kalshi --market ${TICKER} --date 2026-08-01`)
    const none = `backbook: no sizes of the kalshi market ${TICKER} in that time: the command coverage shows what is stored\n`
    expect([out, err, exitCode]).toEqual(['', none, 3])
  })
})

test('changes that continue name the next record', async () => {
  const words = `changes --venue kalshi --market ${TICKER} --date ${DAY}`
  const first = await run(`${words} --record 10 --limit 5 -o changes.parquet`)
  expect(first.err).toBe('the changes in changes.parquet\nthere are more changes: continue with --record 15\n')
  expect((await run(`${words} --record 119999 --limit 2`)).err).toBe('')
})

test.each([
  [`summary --venue kalshi --date ${DAY}`, 2, '--market is required unless --event is given'],
  [`book ${KALSHI} --market ${TICKER}`, 2, '--event cannot be combined with --market'],
  [
    `depth --venue kalshi --event KXNONE --date ${DAY}`,
    3,
    'The loaded metadata has no market of the kalshi event "KXNONE"',
  ],
  [`summary --venue kalshi --event a${'b'.repeat(200)} --date ${DAY}`, 2, '--event must be 1 to 200 characters'],
  [`trades ${KALSHI} --market ${TICKER} --date ${DAY}`, 2, "unknown option '--event'"],
])('%s ends with %d', async (words, exitCode, message) => {
  const refused = await run(words)
  expect(refused).toMatchObject({ exitCode, out: '' })
  expect(refused.err).toContain(message)
})
