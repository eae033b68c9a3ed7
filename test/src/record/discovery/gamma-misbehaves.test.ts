// Goal: discovery finds everything in the end, and never accepts a wrong answer as right, whatever Gamma does.

import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import {
  discoveryBench,
  madeMarkets,
  NOW,
  removeBenches,
  setFile,
  startedBench,
} from '../../../support/venues/discovery-bench.ts'
import {
  broken,
  cursorIgnored,
  cutOff,
  type Fault,
  garbage,
  never,
  pageRepeats,
  tooMany,
  wrongForm,
} from '../../../support/venues/rest-server.ts'

afterAll(removeBenches)

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
    const bench = discoveryBench({ polymarket: { all: true, pageSize: 50 } })
    bench.server.markets = madeMarkets(120)
    bench.server.faults = Array.from({ length: 6 }, () => fault)
    bench.start()
    await bench.time.advance(120_000)
    expect(bench.wanted.size).toBe(240)
    expect([...bench.stats.problems.values()]).toEqual([])
    await bench.stop()
  })

  test.each<[string, Fault]>([
    ['the first page for ever, with the same cursor', cursorIgnored],
    ['the first page for ever, with new cursors', pageRepeats()],
  ])('%s: discovery notices it, reports it, and does not take it for a whole scan', async (_, fault) => {
    const bench = discoveryBench({ polymarket: { all: true, pageSize: 50 } })
    bench.server.markets = madeMarkets(120)
    bench.server.faultForEver = fault
    bench.start()
    await bench.time.advance(10_000)
    expect(bench.server.requestedPaths.length).toBeLessThan(10)
    expect(bench.stats.venues.polymarket.discovery.garbage).toBeGreaterThan(0)
    expect([...bench.stats.problems.values()].join()).toContain('was repeated')
    expect(existsSync(setFile(bench))).toBe(false)
    expect(bench.wanted.size).toBe(100)
    bench.server.faultForEver = undefined
    await bench.time.advance(60_000)
    expect(bench.wanted.size).toBe(240)
    expect([...bench.stats.problems.values()]).toEqual([])
    await bench.stop()
  })

  test('for ever: named tokens and known markets stay, and the problem is reported', async () => {
    const before = await startedBench({ all: true, asset_ids: ['7'] }, madeMarkets(2))
    await before.stop()
    const { folder, server, time } = before
    const after = discoveryBench({ polymarket: { all: true, asset_ids: ['7'] } }, { folder, server, time })
    server.faultForEver = garbage
    after.start()
    await time.advance(600_000)
    expect([...after.wanted.keys()]).toEqual(['7', '11', '12', '21', '22'])
    expect([...after.stats.problems.values()].join()).toContain('failed 6 times')
    await after.stop()
  })
})

test('a stop during a request ends at once, and leaves no timer', async () => {
  const bench = discoveryBench({ polymarket: { all: true } })
  bench.server.faultForEver = never
  bench.start()
  await bench.time.advance(100)
  await bench.stop()
  expect(bench.time.waiting).toBe(0)
})
