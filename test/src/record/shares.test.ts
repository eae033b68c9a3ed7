// Recorders in this process share the markets of one store. Each market has one recorder. Messages between the end of
// three recorders and the start of four are within gaps of their books. long: recorders on sockets, in real time

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openedCluster } from '../../../storage/open-cluster.ts'
import type { OpenStore } from '../../../storage/open-store.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { MemoryClusterRows } from '../../support/cluster/memory-cluster-rows.ts'
import { MemoryObjects } from '../../support/cluster/memory-objects.ts'
import { LoadingHere } from '../../support/record/loading-here.ts'
import { eventually, gapsIn, RecorderRun } from '../../support/record/recorder-run.ts'
import { checkStore } from '../../support/trial/check-recording.ts'
import { trialConfig } from '../../support/trial/recording.ts'
import { TrialVenues } from '../../support/trial/trial-venues.ts'

const LONG_MS = 60_000
const MARKETS = 8

let venues: TrialVenues
let rows: MemoryClusterRows
let stored: MemoryObjects['stored']
const runs: RecorderRun[] = []

beforeEach(async () => {
  venues = await new TrialVenues(new Random(16, 'shared'), { polymarket: MARKETS, kalshi: MARKETS }).start()
  rows = new MemoryClusterRows()
  stored = new Map()
})

afterEach(async () => {
  for (const run of runs.splice(0)) {
    await run.stop().catch(() => undefined)
    run.remove()
  }
  await venues.stop()
})

const openShared = (): OpenStore => openedCluster({ objects: new MemoryObjects(stored), rows, isEachCallChecked: true })

function start(name: string, share: string | null, folder?: string): RecorderRun {
  const { polymarket, kalshi } = trialConfig(venues, { polymarket: { all: true } }) as Record<string, object>
  // Long deadlines, so that no connection is reopened because this machine is slow.
  const patient = { pongMs: LONG_MS, snapshotMs: LONG_MS, silenceMs: LONG_MS, replyMs: LONG_MS, resyncMs: LONG_MS }
  const quiet = { ...patient, audits_per_second: 0 }
  const run = new RecorderRun({
    own: { recorder_id: name, commit_seconds: 0.1, ...(share === null ? {} : { share }) },
    polymarket: { ...polymarket, ...quiet },
    kalshi: { ...kalshi, ...quiet },
    loading: (recorder, of) => new LoadingHere(openShared(), of, (report) => recorder().committed(report)),
    ...(folder === undefined ? {} : { folder }),
  })
  runs.push(run)
  return run
}

const marketsOf = ({ stats }: RecorderRun) => stats.venues.polymarket.markets + stats.venues.kalshi.markets
const isWhole = ({ stats }: RecorderRun) =>
  Object.values(stats.venues).every(({ connectionsOpen, connectionsWanted, booksLost }) => {
    return booksLost === 0 && connectionsOpen === connectionsWanted
  })

/** Resolves when the recorders together have `markets` markets, all connections are open, and no book is lost. */
const record = (markets: number, of: readonly RecorderRun[]) =>
  eventually(
    `${markets} markets`,
    () => of.every(isWhole) && of.reduce((sum, run) => sum + marketsOf(run), 0) === markets,
    LONG_MS,
  )

const messagesSent = (count: number) => {
  const before = venues.ledger.count
  return eventually(`${count} messages`, () => venues.ledger.count >= before + count, LONG_MS)
}

/** Compares everything stored with what the venues sent. */
async function check(of: readonly RecorderRun[]) {
  venues.quiet()
  // Lets messages in transit arrive.
  await Bun.sleep(500)
  for (const run of of) await run.stop()
  return await checkStore(openShared(), venues, [...new Set(of.map(({ folder }) => folder))])
}

test('four recorders replace three: messages that arrived in between are within a gap', async () => {
  venues.startTraffic(200)
  const three = ['1/3', '2/3', '3/3'].map((share, index) => start(`r${index}`, share))
  await record(2 * MARKETS, three)
  expect(Math.max(...three.map(marketsOf))).toBeLessThan(2 * MARKETS)
  await messagesSent(300)
  for (const run of three) await run.stop()
  expect((await Promise.all(three.map((run) => run.lines()))).flatMap(gapsIn)).toEqual([])
  await messagesSent(100)
  const four = ['1/4', '2/4', '3/4', '4/4'].map((share, index) => start(`r${index}`, share, three[index]?.folder))
  await record(2 * MARKETS, four)
  await messagesSent(300)
  const { sent, stored: count, withinGaps, gaps } = await check([...three, ...four])
  expect(withinGaps).toBeGreaterThan(50)
  expect(count).toBeGreaterThan(sent / 3)
  // One gap for each book, whether its recorder remembered the book or not.
  expect(gaps).toBe(3 * MARKETS)
  const writtenGaps = (await Promise.all(four.map((run) => run.lines()))).flatMap(gapsIn)
  expect(new Set(writtenGaps.map(({ reason }) => reason))).toEqual(new Set(['restart']))
}, 180_000)

test('two recorders without a share record everything twice, and it is stored once', async () => {
  const both = [start('a', null), start('b', null)]
  await record(4 * MARKETS, both)
  venues.startTraffic(200)
  await messagesSent(400)
  const { gaps, withinGaps } = await check(both)
  // A recorder that subscribes after the other one has stored a snapshot writes a gap.
  expect(gaps).toBeLessThanOrEqual(3 * MARKETS)
  expect(withinGaps).toBe(0)
}, 180_000)
