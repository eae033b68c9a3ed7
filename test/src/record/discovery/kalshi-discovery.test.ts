// Goal: the right markets of Kalshi are recorded, from before they open until they are settled.

import { afterAll, describe, expect, test } from 'bun:test'
import { type Bench, discoveryBench, NOW, removeBenches } from '../../../support/venues/discovery-bench.ts'
import { cursorIgnored, type Fault, garbage, type MadeTicker, tooMany } from '../../../support/venues/rest-server.ts'

afterAll(removeBenches)

const HOUR_MS = 3_600_000

const ticker = (name: string, given: Partial<MadeTicker> = {}): MadeTicker => ({
  ticker: `${name}-T1`,
  event: name,
  series: name.split('-')[0]!,
  createdMs: NOW - HOUR_MS,
  opensMs: NOW - HOUR_MS,
  closesMs: NOW + HOUR_MS,
  ...given,
})

async function started(kalshi: object, tickers: MadeTicker[]): Promise<Bench> {
  const bench = discoveryBench({ kalshi })
  bench.server.tickers = tickers
  bench.start()
  await bench.time.advance(5_000)
  return bench
}

const recorded = ({ wanted }: Bench) => [...wanted.keys()].sort()

describe('selection', () => {
  const tickers = [
    ticker('BTC-1'),
    ticker('BTC-2'),
    ticker('BTC-2', { ticker: 'BTC-2-T2' }),
    ticker('GOLD-1', { category: 'Commodities' }),
    ticker('BTC-0', { status: 'finalized', closesMs: NOW - 24 * HOUR_MS }),
    ticker('BTC-3', { status: 'finalized' }),
  ]
  test.each([
    [{ all: true }, ['BTC-1-T1', 'BTC-2-T1', 'BTC-2-T2', 'GOLD-1-T1']],
    [{ series: ['BTC'] }, ['BTC-1-T1', 'BTC-2-T1', 'BTC-2-T2']],
    [{ events: ['BTC-2', 'NONE-1'] }, ['BTC-2-T1', 'BTC-2-T2']],
    [{ categories: ['commodities'] }, ['GOLD-1-T1']],
    [{ categories: ['Commodities'], events: ['BTC-1'] }, ['BTC-1-T1', 'GOLD-1-T1']],
    [{ all: true, exclude_series: ['BTC'] }, ['GOLD-1-T1']],
    [{ all: true, exclude_categories: ['Commodities'], exclude_events: ['BTC-1'] }, ['BTC-2-T1', 'BTC-2-T2']],
    [{ series: ['BTC'], exclude_tickers: ['BTC-2-T2'] }, ['BTC-1-T1', 'BTC-2-T1']],
  ])('%j', async (selection, expected) => {
    const bench = await started(selection, tickers)
    expect(recorded(bench)).toEqual(expected)
    await bench.stop()
  })
})

test('a market is recorded whatever the word for its state, unless the state is final', async () => {
  const bench = await started({ all: true }, [ticker('NEW-1', { status: 'a_new_word' }), ticker('NEW-2')])
  expect(recorded(bench)).toEqual(['NEW-1-T1', 'NEW-2-T1'])
  bench.server.tickers[0]!.status = 'settled'
  await bench.time.advance(HOUR_MS + 700_000)
  expect(recorded(bench)).toEqual(['NEW-2-T1'])
  await bench.stop()
})

test('named tickers are recorded at once, and without REST', async () => {
  const bench = discoveryBench({ kalshi: { tickers: ['A', 'B'], rest_url: '' } })
  bench.start()
  expect([...bench.wanted]).toEqual([
    ['A', 'A'],
    ['B', 'B'],
  ])
  await bench.settled()
  expect(bench.server.requestedPaths).toEqual([])
  await bench.stop()
})

test('the store gets the metadata of named tickers from REST', async () => {
  const bench = await started({ tickers: ['BTC-1-T1'] }, [ticker('BTC-1'), ticker('BTC-2')])
  expect(bench.bodies.map((body) => JSON.parse(body).markets.length)).toEqual([1])
  expect(recorded(bench)).toEqual(['BTC-1-T1'])
  await bench.stop()
})

test('the list of events is read up to its last page', async () => {
  const tickers = Array.from({ length: 450 }, (_, i) => ticker(`BTC-${i}`))
  const bench = await started({ all: true }, tickers)
  expect(bench.wanted.size).toBe(450)
  await bench.stop()
})

describe('the life of a market', () => {
  test('it is recorded aheadMs before it opens', async () => {
    const bench = await started({ series: ['BTC'], aheadMs: 600_000 }, [
      ticker('BTC-1', { status: 'initialized', opensMs: NOW + 20 * 60_000 }),
    ])
    expect(recorded(bench)).toEqual([])
    await bench.time.advance(9 * 60_000)
    expect(recorded(bench)).toEqual([])
    await bench.time.advance(2 * 60_000)
    expect(recorded(bench)).toEqual(['BTC-1-T1'])
    await bench.stop()
  })

  test('at its close its series is listed again', async () => {
    const bench = await started({ series: ['BTC'], newMs: 3_600_000, aheadMs: 86_400_000 }, [
      ticker('BTC-1', { closesMs: NOW + 60_000 }),
    ])
    bench.server.tickers.push(ticker('BTC-2', { opensMs: NOW + 60_000 }))
    await bench.time.advance(50_000)
    expect(recorded(bench)).toEqual(['BTC-1-T1'])
    await bench.time.advance(10_000)
    expect(recorded(bench)).toEqual(['BTC-1-T1', 'BTC-2-T1'])
    await bench.stop()
  })

  test('it is recorded after its close until it is settled, and keepMs more', async () => {
    const bench = await started({ all: true, keepMs: 120_000, scanMs: 86_400_000 }, [
      ticker('BTC-1', { closesMs: NOW + 60_000 }),
    ])
    bench.server.tickers[0]!.status = 'closed'
    await bench.time.advance(2 * HOUR_MS)
    expect(recorded(bench)).toEqual(['BTC-1-T1'])
    bench.server.tickers[0]!.status = 'finalized'
    await bench.time.advance(100_000)
    expect(recorded(bench)).toEqual(['BTC-1-T1'])
    await bench.time.advance(90_000)
    expect(recorded(bench)).toEqual([])
    expect(bench.bodies.at(-1)).toContain('"finalized"')
    await bench.stop()
  })
})

describe('a market that the sockets report', () => {
  test.each([
    [{ all: true }, ['BTC-9-T1', 'GOLD-9-T1']],
    [{ categories: ['Crypto'] }, ['BTC-9-T1']],
    [{ series: ['GOLD'] }, ['GOLD-9-T1']],
  ])('is recorded where it is selected: %j', async (selection, expected) => {
    const bench = await started({ ...selection, newMs: 3_600_000 }, [])
    bench.server.tickers = [ticker('BTC-9'), ticker('GOLD-9', { category: 'Commodities' })]
    bench.hint('kalshi', 'BTC-9-T1', 'new')
    bench.hint('kalshi', 'GOLD-9-T1', 'new')
    await bench.time.advance(5_000)
    expect(recorded(bench)).toEqual(expected)
    await bench.stop()
  })

  test('is no longer recorded if it ended early', async () => {
    const bench = await started({ all: true, keepMs: 0 }, [ticker('BTC-1')])
    bench.server.tickers[0]!.status = 'finalized'
    bench.hint('kalshi', 'BTC-1-T1', 'over')
    await bench.time.advance(31_000)
    expect(recorded(bench)).toEqual([])
    await bench.stop()
  })
})

test('new markets are found within newMs, without a whole scan', async () => {
  const bench = await started({ all: true }, [ticker('BTC-1')])
  bench.server.tickers.push(ticker('BTC-9', { createdMs: NOW + 6_000 }))
  const scans = () => bench.server.requestedPaths.filter((path) => path.includes('min_close_ts')).length
  const before = scans()
  await bench.time.advance(30_000)
  expect(recorded(bench)).toEqual(['BTC-1-T1', 'BTC-9-T1'])
  expect(scans()).toBe(before)
  await bench.stop()
})

test('known markets are recorded at once after a restart', async () => {
  const before = await started({ all: true }, [ticker('BTC-1'), ticker('BTC-2')])
  await before.stop()
  const { folder, server, time } = before
  server.tickers[0]!.status = 'finalized'
  const after = discoveryBench({ kalshi: { all: true, keepMs: 0 } }, { folder, server, time })
  after.start()
  expect(recorded(after)).toEqual(['BTC-1-T1', 'BTC-2-T1'])
  await time.advance(61_000)
  expect(recorded(after)).toEqual(['BTC-2-T1'])
  await after.stop()
})

describe('the venue misbehaves', () => {
  test.each<[string, Fault]>([
    ['garbage', garbage],
    ['429 without a time', tooMany()],
  ])('%s for a while: everything is found in the end', async (_, fault) => {
    const bench = discoveryBench({ kalshi: { series: ['BTC'] } })
    bench.server.tickers = [ticker('BTC-1')]
    bench.server.faults = Array.from({ length: 5 }, () => fault)
    bench.start()
    await bench.time.advance(120_000)
    expect(recorded(bench)).toEqual(['BTC-1-T1'])
    await bench.stop()
  })

  test('an ignored cursor is noticed and reported', async () => {
    const bench = discoveryBench({ kalshi: { all: true } })
    bench.server.tickers = Array.from({ length: 450 }, (_, i) => ticker(`BTC-${i}`))
    bench.server.faultForEver = cursorIgnored
    bench.start()
    await bench.time.advance(5_000)
    expect(bench.stats.venues.kalshi.discovery.garbage).toBeGreaterThan(0)
    expect([...bench.stats.problems.values()].join()).toContain('was repeated')
    await bench.stop()
  })
})
