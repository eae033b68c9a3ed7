// Tests which markets of Polymarket are recorded, from when and until when, whatever Gamma does meanwhile.

import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, conditionId, discoveryBench, NOW } from '../../../support/venues/discovery-bench.ts'
import {
  broken,
  cursorIgnored,
  cutOff,
  type Fault,
  garbage,
  type MadeMarket,
  never,
  pageRepeats,
  tooMany,
  wrongForm,
} from '../../../support/venues/rest-server.ts'

const DAY_MS = 86_400_000

const market = (n: number, given: Partial<MadeMarket> = {}): MadeMarket => ({
  conditionId: conditionId(n),
  slug: `market-${n}`,
  tokens: [`${n}1`, `${n}2`],
  createdMs: NOW - DAY_MS,
  ...given,
})
const many = (count: number): MadeMarket[] => Array.from({ length: count }, (_, i) => market(i + 1))

async function started(polymarket: object, markets: MadeMarket[]): Promise<Bench> {
  const bench = discoveryBench({ polymarket })
  bench.server.markets = markets
  bench.start()
  await bench.time.advance(5_000)
  return bench
}

const slugsOf = ({ wanted, server }: Bench) =>
  server.markets.filter(({ tokens }) => tokens.every((token) => wanted.has(token))).map(({ slug }) => slug)

describe('selection', () => {
  const markets = [
    market(1, { event: 'e', tags: ['crypto'], series: 's', volume: 5_000 }),
    market(2, { event: 'e', tags: ['crypto'] }),
    market(3, { tags: ['sports'], volume: 100 }),
    market(4, { series: 's' }),
    market(5, { closedMs: NOW - DAY_MS, tags: ['crypto'], series: 's', volume: 9_000 }),
  ]
  test.each([
    [{ all: true }, [1, 2, 3, 4]],
    [{ slugs: ['market-3', 'market-5', 'none'] }, [3]],
    [{ events: ['e'] }, [1, 2]],
    [{ tags: ['crypto'] }, [1, 2]],
    [{ series: ['s'] }, [1, 4]],
    [{ volume_min: 100 }, [1, 3]],
    [{ tags: ['sports'], series: ['s'] }, [1, 3, 4]],
    [{ all: true, exclude_tags: ['crypto'] }, [3, 4]],
    [{ all: true, exclude_series: ['s'], exclude_slugs: ['market-3'] }, [2]],
    [{ series: ['s'], exclude_events: ['e'] }, [4]],
  ])('%j', async (selection, expected) => {
    const bench = await started(selection, markets)
    expect(slugsOf(bench)).toEqual(expected.map((n) => `market-${n}`))
    await bench.stop()
  })

  test('a filter that the server ignores selects nothing more', async () => {
    const bench = discoveryBench({ polymarket: { tags: ['crypto'] } })
    bench.server.markets = markets
    bench.server.faultForEver = (url, honest) => {
      url.searchParams.delete('tag_slug')
      return honest()
    }
    bench.start()
    await bench.time.advance(5_000)
    expect(slugsOf(bench)).toEqual(['market-1', 'market-2'])
    await bench.stop()
  })
})

test('named tokens are recorded at once, and without REST', async () => {
  const bench = discoveryBench({ polymarket: { asset_ids: ['71', '72'], gamma_url: '' } })
  bench.start()
  expect([...bench.wanted]).toEqual([
    ['71', 'named'],
    ['72', 'named'],
  ])
  await bench.discovery.settled()
  expect(bench.server.asked).toEqual([])
  await bench.stop()
})

test('of named tokens the store learns what Gamma says, once', async () => {
  const bench = discoveryBench({ polymarket: { asset_ids: ['11'], scan_seconds: 60 } })
  bench.server.markets = many(2)
  bench.start()
  await bench.time.advance(600_000)
  expect([...bench.wanted.keys()]).toEqual(['11'])
  expect(bench.bodies.map((body) => JSON.parse(body).markets[0].slug)).toEqual(['market-1'])
  await bench.stop()
})

test('pages are read to the end of the cursor, however short they are', async () => {
  const bench = discoveryBench({ polymarket: { all: true, page_size: 1_000 } })
  bench.server.markets = many(250)
  bench.server.pageMax = 30
  bench.start()
  await bench.time.advance(5_000)
  expect(bench.wanted.size).toBe(500)
  const paged = bench.server.asked.filter((path) => path.includes('cursor'))
  expect(paged.every((path) => path.includes('after_cursor=') && !path.includes('offset'))).toBe(true)
  await bench.stop()
})

describe('a new market', () => {
  test('is found within new_seconds', async () => {
    const bench = await started({ all: true }, many(3))
    bench.server.markets.push(market(9, { createdMs: NOW + 6_000 }))
    await bench.time.advance(10_000)
    expect(slugsOf(bench)).toContain('market-9')
    await bench.stop()
  })

  test('that the sockets heard of is asked for at once', async () => {
    const bench = await started({ tags: ['crypto'], new_seconds: 3_600 }, [])
    bench.server.markets = [market(8, { tags: ['crypto'] }), market(9, { tags: ['sports'] })]
    bench.discovery.hint('polymarket', conditionId(8), 'new')
    bench.discovery.hint('polymarket', conditionId(9), 'new')
    await bench.time.advance(1_000)
    expect(slugsOf(bench)).toEqual(['market-8'])
    await bench.stop()
  })

  test('without tokens is asked for again, later and later, for three minutes', async () => {
    const bench = await started({ all: true, new_seconds: 3_600 }, [market(1, { tokens: [] })])
    await bench.time.advance(60_000)
    const asked = bench.server.asked.filter((path) => path.includes('condition_ids=')).length
    expect(asked).toBeGreaterThan(5)
    bench.server.markets[0] = market(1)
    await bench.time.advance(16_000)
    expect(slugsOf(bench)).toEqual(['market-1'])
    await bench.stop()
  })

  test('that never gets tokens is given up', async () => {
    const bench = await started({ all: true, new_seconds: 3_600, scan_seconds: 3_600 }, [market(1, { tokens: [] })])
    await bench.time.advance(300_000)
    const asked = bench.server.asked.filter((path) => path.includes('condition_ids=')).length
    expect(asked).toBe(13)
    await bench.discovery.settled()
    await bench.stop()
  })
})

describe('a resolved market', () => {
  test('is recorded for keep_seconds more, and the store learns how it ended', async () => {
    const bench = await started({ all: true, keep_seconds: 120 }, many(2))
    bench.server.markets[0] = market(1, { closedMs: bench.time.nowMs })
    await bench.time.advance(100_000)
    expect(bench.wanted.has('11')).toBe(true)
    expect(bench.bodies.at(-1)).toContain('"closed":true')
    await bench.time.advance(60_000)
    expect([...bench.wanted.keys()]).toEqual(['21', '22'])
    await bench.stop()
  })

  test('is found among the last closed ones where many are known', async () => {
    const bench = await started({ all: true, keep_seconds: 0 }, many(400))
    bench.server.markets[7] = market(8, { closedMs: bench.time.nowMs })
    await bench.time.advance(31_000)
    expect(bench.wanted.has('81')).toBe(false)
    expect(bench.wanted.size).toBe(798)
    expect(bench.server.asked.some((path) => path.includes('order=closedTime'))).toBe(true)
    await bench.stop()
  })

  test('that the sockets heard of is asked for at once', async () => {
    const bench = await started({ all: true, keep_seconds: 0, resolved_seconds: 3_600, new_seconds: 1 }, many(2))
    bench.server.markets[0] = market(1, { closedMs: bench.time.nowMs })
    bench.discovery.hint('polymarket', conditionId(1), 'over')
    await bench.time.advance(2_000)
    expect([...bench.wanted.keys()]).toEqual(['21', '22'])
    await bench.stop()
  })
})

describe('what the store learns', () => {
  test('is what is new, not what only moved', async () => {
    const bench = await started({ all: true, scan_seconds: 60 }, many(2))
    const learned = bench.bodies.length
    bench.server.markets[1] = market(2, { volume: 10 })
    await bench.time.advance(300_000)
    expect(learned).toBe(1)
    expect(bench.bodies).toHaveLength(1)
    await bench.stop()
  })
})

const setFile = ({ folder }: Bench) => join(folder, 'recorder', 'markets-polymarket.ndjson')

describe('the known markets', () => {
  test('are recorded at once after a restart, and what ended meanwhile is given up', async () => {
    const before = await started({ all: true }, many(3))
    await before.stop()
    const { folder, server, time } = before
    server.markets[2] = market(3, { closedMs: time.nowMs })
    server.asked.length = 0
    const after = discoveryBench({ polymarket: { all: true, keep_seconds: 0 } }, { folder, server, time })
    after.start()
    expect(server.asked).toEqual([])
    expect(after.wanted.size).toBe(6)
    await time.advance(31_000)
    expect([...after.wanted.keys()]).toEqual(['11', '12', '21', '22'])
    expect(after.bodies).toHaveLength(1)
    await after.stop()
  })

  test('are found anew where the selection is another', async () => {
    const before = await started({ all: true }, many(3))
    await before.stop()
    const { folder, server, time } = before
    const after = discoveryBench({ polymarket: { slugs: ['market-2'] } }, { folder, server, time })
    after.start()
    expect(after.wanted.size).toBe(0)
    await time.advance(1_000)
    expect([...after.wanted.keys()]).toEqual(['21', '22'])
    await after.stop()
  })

  test('are not saved before a whole scan has succeeded', async () => {
    const bench = discoveryBench({ polymarket: { all: true, page_size: 2 } })
    bench.server.markets = many(10)
    bench.server.faultForEver = (url) =>
      url.searchParams.has('after_cursor') ? new Response('no', { status: 422 }) : undefined
    bench.start()
    await bench.time.advance(100_000)
    expect(bench.wanted.size).toBe(4)
    await bench.stop()
    expect(existsSync(setFile(bench))).toBe(false)
    bench.start()
    bench.server.faultForEver = undefined
    await bench.time.advance(60_000)
    expect(bench.wanted.size).toBe(20)
    await bench.stop()
    expect(readFileSync(setFile(bench), 'utf8').trimEnd().split('\n')).toHaveLength(11)
  })
})

describe('limits', () => {
  test('markets beyond markets_max are left out, and counted', async () => {
    const bench = await started({ all: true, markets_max: 4 }, many(10))
    expect(bench.wanted.size).toBe(8)
    expect(bench.figures.venues.polymarket.marketsLeftOut).toBe(6)
    await bench.stop()
  })

  test('what the recorder could not take is offered again', async () => {
    const bench = discoveryBench({ polymarket: { all: true } })
    bench.server.markets = many(5)
    bench.limit.books = 4
    bench.start()
    await bench.time.advance(5_000)
    expect(bench.figures.venues.polymarket.marketsLeftOut).toBe(3)
    bench.limit.books = 100
    await bench.time.advance(10_000)
    expect([bench.wanted.size, bench.figures.venues.polymarket.marketsLeftOut]).toEqual([10, 0])
    await bench.stop()
  })
})

describe('Gamma misbehaves', () => {
  test.each<[string, Fault]>([
    ['garbage', garbage],
    ['half an answer', cutOff],
    ['a list without its object', wrongForm],
    ['500', broken],
    ['429', tooMany()],
    ['429 with seconds', tooMany('3')],
    ['429 with a date', tooMany(new Date(NOW + 5_000).toUTCString())],
    ['no answer', never],
  ])('%s for a while: everything is found in the end', async (_, fault) => {
    const bench = discoveryBench({ polymarket: { all: true, page_size: 50 } })
    bench.server.markets = many(120)
    bench.server.faults = Array.from({ length: 6 }, () => fault)
    bench.start()
    await bench.time.advance(120_000)
    expect(bench.wanted.size).toBe(240)
    expect([...bench.figures.problems.values()]).toEqual([])
    await bench.stop()
  })

  test.each<[string, Fault]>([
    ['the first page for ever, with the same cursor', cursorIgnored],
    ['the first page for ever, with new cursors', pageRepeats()],
  ])('%s: it is noticed, told, and not taken for a whole scan', async (_, fault) => {
    const bench = discoveryBench({ polymarket: { all: true, page_size: 50 } })
    bench.server.markets = many(120)
    bench.server.faultForEver = fault
    bench.start()
    await bench.time.advance(10_000)
    expect(bench.server.asked.length).toBeLessThan(10)
    expect(bench.figures.venues.polymarket.discovery.garbage).toBeGreaterThan(0)
    expect([...bench.figures.problems.values()].join()).toContain('came again')
    expect(existsSync(setFile(bench))).toBe(false)
    expect(bench.wanted.size).toBe(100)
    bench.server.faultForEver = undefined
    await bench.time.advance(60_000)
    expect(bench.wanted.size).toBe(240)
    expect([...bench.figures.problems.values()]).toEqual([])
    await bench.stop()
  })

  test('for ever: named tokens and known markets stay, and the problem is told', async () => {
    const before = await started({ all: true, asset_ids: ['7'] }, many(2))
    await before.stop()
    const { folder, server, time } = before
    const after = discoveryBench({ polymarket: { all: true, asset_ids: ['7'] } }, { folder, server, time })
    server.faultForEver = garbage
    after.start()
    await time.advance(600_000)
    expect([...after.wanted.keys()]).toEqual(['7', '11', '12', '21', '22'])
    expect([...after.figures.problems.values()].join()).toContain('tried 6 times')
    await after.stop()
  })
})

test('a stop while a question is open ends at once, and leaves no timer', async () => {
  const bench = discoveryBench({ polymarket: { all: true } })
  bench.server.faultForEver = never
  bench.start()
  await bench.time.advance(100)
  await bench.stop()
  expect(bench.time.waiting).toBe(0)
})
