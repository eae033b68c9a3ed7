// Goal: the right markets of Polymarket are recorded, from the right time and until the right time, whatever Gamma
// does.

import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import {
  type Bench,
  conditionId,
  discoveryBench,
  madeMarket,
  madeMarkets,
  NOW,
  removeBenches,
  setFile,
  startedBench,
} from '../../../support/venues/discovery-bench.ts'

afterAll(removeBenches)

const DAY_MS = 86_400_000

const slugsOf = ({ wanted, server }: Bench) =>
  server.markets.filter(({ tokens }) => tokens.every((token) => wanted.has(token))).map(({ slug }) => slug)

describe('selection', () => {
  const markets = [
    madeMarket(1, { event: 'e', tags: ['crypto'], series: 's', volume: 5_000 }),
    madeMarket(2, { event: 'e', tags: ['crypto'] }),
    madeMarket(3, { tags: ['sports'], volume: 100 }),
    madeMarket(4, { series: 's' }),
    madeMarket(5, { closedMs: NOW - DAY_MS, tags: ['crypto'], series: 's', volume: 9_000 }),
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
    const bench = await startedBench(selection, markets)
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
  await bench.settled()
  expect(bench.server.requestedPaths).toEqual([])
  await bench.stop()
})

test('the store gets the metadata of named tokens from Gamma, once', async () => {
  const bench = discoveryBench({ polymarket: { asset_ids: ['11'], scanMs: 60_000 } })
  bench.server.markets = madeMarkets(2)
  bench.start()
  await bench.time.advance(600_000)
  expect([...bench.wanted.keys()]).toEqual(['11'])
  expect(bench.bodies.map((body) => JSON.parse(body).markets[0].slug)).toEqual(['market-1'])
  await bench.stop()
})

test('all pages are read, however short they are', async () => {
  const bench = discoveryBench({ polymarket: { all: true, pageSize: 1_000 } })
  bench.server.markets = madeMarkets(250)
  bench.server.pageMax = 30
  bench.start()
  await bench.time.advance(5_000)
  expect(bench.wanted.size).toBe(500)
  const paged = bench.server.requestedPaths.filter((path) => path.includes('cursor'))
  expect(paged.every((path) => path.includes('after_cursor=') && !path.includes('offset'))).toBe(true)
  await bench.stop()
})

describe('a new market', () => {
  test('is found within newMs', async () => {
    const bench = await startedBench({ all: true }, madeMarkets(3))
    bench.server.markets.push(madeMarket(9, { createdMs: NOW + 6_000 }))
    await bench.time.advance(10_000)
    expect(slugsOf(bench)).toContain('market-9')
    await bench.stop()
  })

  test('that the sockets report is requested at once', async () => {
    const bench = await startedBench({ tags: ['crypto'], newMs: 3_600_000 }, [])
    bench.server.markets = [madeMarket(8, { tags: ['crypto'] }), madeMarket(9, { tags: ['sports'] })]
    bench.hint('polymarket', conditionId(8), 'new')
    bench.hint('polymarket', conditionId(9), 'new')
    await bench.time.advance(1_000)
    expect(slugsOf(bench)).toEqual(['market-8'])
    await bench.stop()
  })

  test('without tokens is requested again, at growing intervals, for three minutes', async () => {
    const bench = await startedBench({ all: true, newMs: 3_600_000 }, [madeMarket(1, { tokens: [] })])
    await bench.time.advance(60_000)
    const requestCount = bench.server.requestedPaths.filter((path) => path.includes('condition_ids=')).length
    expect(requestCount).toBeGreaterThan(5)
    bench.server.markets[0] = madeMarket(1)
    await bench.time.advance(16_000)
    expect(slugsOf(bench)).toEqual(['market-1'])
    await bench.stop()
  })

  test('that never gets tokens is dropped', async () => {
    const bench = await startedBench({ all: true, newMs: 3_600_000, scanMs: 3_600_000 }, [
      madeMarket(1, { tokens: [] }),
    ])
    await bench.time.advance(300_000)
    const requestCount = bench.server.requestedPaths.filter((path) => path.includes('condition_ids=')).length
    expect(requestCount).toBe(13)
    await bench.settled()
    await bench.stop()
  })
})

describe('a resolved market', () => {
  test('is recorded for keepMs more, and the store learns how it ended', async () => {
    const bench = await startedBench({ all: true, keepMs: 120_000 }, madeMarkets(2))
    bench.server.markets[0] = madeMarket(1, { closedMs: bench.time.nowMs })
    await bench.time.advance(100_000)
    expect(bench.wanted.has('11')).toBe(true)
    expect(bench.bodies.at(-1)).toContain('"closed":true')
    await bench.time.advance(60_000)
    expect([...bench.wanted.keys()]).toEqual(['21', '22'])
    await bench.stop()
  })

  test('is found in the list of last closed markets, if many are known', async () => {
    const bench = await startedBench({ all: true, keepMs: 0 }, madeMarkets(400))
    bench.server.markets[7] = madeMarket(8, { closedMs: bench.time.nowMs })
    await bench.time.advance(31_000)
    expect(bench.wanted.has('81')).toBe(false)
    expect(bench.wanted.size).toBe(798)
    expect(bench.server.requestedPaths.some((path) => path.includes('order=closedTime'))).toBe(true)
    await bench.stop()
  })

  test('that the sockets report is requested at once', async () => {
    const bench = await startedBench({ all: true, keepMs: 0, resolvedMs: 3_600_000, newMs: 1_000 }, madeMarkets(2))
    bench.server.markets[0] = madeMarket(1, { closedMs: bench.time.nowMs })
    bench.hint('polymarket', conditionId(1), 'over')
    await bench.time.advance(2_000)
    expect([...bench.wanted.keys()]).toEqual(['21', '22'])
    await bench.stop()
  })
})

describe('what the store learns', () => {
  test('is what is new, not a changed volume', async () => {
    const bench = await startedBench({ all: true, scanMs: 60_000 }, madeMarkets(2))
    const learned = bench.bodies.length
    bench.server.markets[1] = madeMarket(2, { volume: 10 })
    await bench.time.advance(300_000)
    expect(learned).toBe(1)
    expect(bench.bodies).toHaveLength(1)
    await bench.stop()
  })
})

describe('the known markets', () => {
  test('are recorded at once after a restart, and those that ended meanwhile are dropped', async () => {
    const before = await startedBench({ all: true }, madeMarkets(3))
    await before.stop()
    const { folder, server, time } = before
    server.markets[2] = madeMarket(3, { closedMs: time.nowMs })
    server.requestedPaths.length = 0
    const after = discoveryBench({ polymarket: { all: true, keepMs: 0 } }, { folder, server, time })
    after.start()
    expect(server.requestedPaths).toEqual([])
    expect(after.wanted.size).toBe(6)
    await time.advance(31_000)
    expect([...after.wanted.keys()]).toEqual(['11', '12', '21', '22'])
    expect(after.bodies).toHaveLength(1)
    await after.stop()
  })

  test('are discovered again if the selection has changed', async () => {
    const before = await startedBench({ all: true }, madeMarkets(3))
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
    const bench = discoveryBench({ polymarket: { all: true, pageSize: 2 } })
    bench.server.markets = madeMarkets(10)
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
