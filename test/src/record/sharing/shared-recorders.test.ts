// Several recorders of a group on venues that talk, over one cluster: whoever comes, goes, or is cut off from the
// database, each message is stored or lies within a gap of its book.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MemoryLeases } from '../../../../storage/cluster/leases/memory-leases.ts'
import { SHARD_COUNT } from '../../../../storage/cluster/leases/sharing.ts'
import { keptCluster } from '../../../../storage/open-cluster.ts'
import type { KeptStore } from '../../../../storage/open-store.ts'
import { loadCapture } from '../../../../workers/load/load-capture.ts'
import { findSegment, newFolder, segmentsBelow } from '../../../../workers/segment/segment-folder.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import type { MemoryRows } from '../../../support/cluster/memory-database.ts'
import { emptyRows, MemoryDatabase } from '../../../support/cluster/memory-database.ts'
import { MemoryObjects } from '../../../support/cluster/memory-objects.ts'
import { LoadingHere } from '../../../support/record/loading-here.ts'
import { eventually, gapsIn, RecorderRun } from '../../../support/record/recorder-run.ts'
import { checkStore } from '../../../support/trial/check-recording.ts'
import { trialConfig } from '../../../support/trial/recording.ts'
import { TrialVenues } from '../../../support/trial/trial-venues.ts'

const LONG_MS = 30_000
const PACE = { leaseMs: 1_500, turnMs: 150 }

let venues: TrialVenues
let rows: MemoryRows
let stored: MemoryObjects['stored']
const runs: SharedRun[] = []

beforeEach(async () => {
  venues = await new TrialVenues(new Random(16, 'shared'), { polymarket: 8, kalshi: 8 }).start()
  rows = emptyRows()
  stored = new Map()
})

afterEach(async () => {
  for (const run of runs.splice(0)) await run.end()
  await venues.stop()
})

const openKept = (): KeptStore =>
  keptCluster({ objects: new MemoryObjects(stored), database: new MemoryDatabase(rows), isEachCallChecked: true })

type SharedRun = RecorderRun & { leases: MemoryLeases; store: KeptStore; end(): Promise<void> }

function start(name: string, group = 'main'): SharedRun {
  const leases = new MemoryLeases(rows.leases, Date.now)
  const store = openKept()
  const { polymarket, kalshi } = trialConfig(venues) as { polymarket: object; kalshi: object }
  const quiet = { audits_per_second: 0, connectStaggerMs: 0 }
  const run = new RecorderRun({
    own: { recorder_id: name, commit_seconds: 0.1 },
    polymarket: { ...polymarket, ...quiet },
    kalshi: { ...kalshi, ...quiet },
    sharing: { leases, group, holder: `${name}:1`, pace: PACE },
    loading: (recorder, folder) => new LoadingHere(store, folder, (report) => recorder().committed(report)),
  })
  const shared = Object.assign(run, {
    leases,
    store,
    async end() {
      await run.stop().catch(() => undefined)
      run.remove()
    },
  })
  runs.push(shared)
  return shared
}

const heldBy = ({ figures }: SharedRun) => figures.shards!.held
const booksOf = ({ figures }: SharedRun) => figures.venues.polymarket.books + figures.venues.kalshi.books
const isWhole = ({ figures }: SharedRun) =>
  Object.values(figures.venues).every(({ connectionsOpen, connectionsWanted, booksLost }) => {
    return booksLost === 0 && connectionsOpen === connectionsWanted
  })
/** Together they have every book. */
const BOOKS = 8 * 2 + 8
const hold = (counts: number[], ...of: SharedRun[]) =>
  eventually(
    `${counts} shards`,
    () => {
      const books = of.reduce((sum, run) => sum + booksOf(run), 0)
      return of.every((run, i) => heldBy(run) === counts[i] && isWhole(run)) && books === BOOKS
    },
    LONG_MS,
  )

/** Loads what stayed on disks, and holds everything against what was said. */
const check = (...of: SharedRun[]) => checkWith(of, false)

async function checkWith(of: SharedRun[], mayBeLost: boolean) {
  venues.quiet()
  // What is on its way arrives.
  await Bun.sleep(500)
  const store = openKept()
  for (const run of of) {
    await run.stop()
    for (const name of segmentsBelow(newFolder(run.folder))) {
      const { error } = await loadCapture(store, run.folder, findSegment(newFolder(run.folder), name)!)
      expect(error).toBeNull()
    }
  }
  return await checkStore(
    store,
    venues,
    of.map(({ folder }) => folder),
    mayBeLost,
  )
}

const ALL = SHARD_COUNT
const HALF = SHARD_COUNT / 2

describe('recorders of a group', () => {
  test('share the markets as they come and go, and tell what nobody heard', async () => {
    venues.talk(200)
    const a = start('a')
    await hold([ALL], a)
    const b = start('b')
    await hold([HALF, HALF], a, b)
    await b.stop()
    await hold([ALL], a)
    const { said, gaps, stored: count } = await check(a, b)
    expect(count).toBeGreaterThan(said / 2)
    expect(gaps).toBeGreaterThan(0)
    expect(gapsIn(await a.lines()).every(({ reason }) => reason === 'restart')).toBe(true)
  }, 120_000)

  test('one that is cut off from the database loses its shards, and what it recorded of them stays', async () => {
    venues.talk(200)
    const [a, b] = [start('a'), start('b')]
    await hold([HALF, HALF], a, b)
    a.leases.isAway = true
    await eventually('all shards', () => heldBy(b) === ALL && booksOf(b) === BOOKS && isWhole(b), LONG_MS)
    expect(heldBy(a)).toBe(HALF)
    expect(a.figures.problems.get('leases')).toContain('cannot be renewed')
    a.leases.isAway = false
    await eventually('segments that are not loaded', () => a.figures.problems.has('segment'), LONG_MS)
    expect(a.figures.problems.get('segment')).toContain('held by another recorder now')
    await hold([HALF, HALF], a, b)
    expect(a.figures.shards!.lost).toBe(HALF)
    expect(segmentsBelow(newFolder(a.folder)).length).toBeGreaterThan(0)
    // What a kept is merged later, with the gap that it tells: a book may be unknown after that, until it is shown anew.
    await checkWith([a, b], true)
  }, 120_000)

  test('a market is stored by no recorder that could not tell the others of it', async () => {
    const a = start('a')
    await hold([ALL], a)
    a.leases.isAway = true
    await eventually('the failure', () => a.figures.problems.has('leases'), LONG_MS)
    venues.talk(200)
    await eventually('frames', () => a.figures.venues.kalshi.frames > 50, LONG_MS)
    const { recordsAdded } = a.figures
    await eventually('commits that fail', () => a.figures.problems.has('loading'), LONG_MS)
    expect(a.figures.recordsAdded).toBe(recordsAdded)
    a.leases.isAway = false
    await eventually('records', () => a.figures.recordsAdded > recordsAdded, LONG_MS)
    expect(a.figures.problems.size).toBe(0)
    expect((await check(a)).gaps).toBe(0)
  }, 120_000)

  test('two groups record everything twice, and it is stored once', async () => {
    venues.talk(200)
    const [a, b] = [start('a', 'one'), start('b', 'two')]
    await Promise.all([hold([ALL], a), hold([ALL], b)])
    await eventually('frames', () => [a, b].every(({ figures }) => figures.venues.kalshi.frames > 100), LONG_MS)
    expect((await check(a, b)).gaps).toBe(0)
  }, 120_000)

  test('all of them end, and whoever comes next tells what was missed since', async () => {
    venues.talk(200)
    const a = start('a')
    await hold([ALL], a)
    await eventually('frames', () => a.figures.venues.kalshi.frames > 100, LONG_MS)
    await a.stop()
    const before = venues.ledger.count
    await eventually('messages that nobody hears', () => venues.ledger.count > before + 50, LONG_MS)
    const b = start('b')
    await hold([ALL], b)
    expect((await check(a, b)).withinGaps).toBeGreaterThan(50)
  }, 120_000)
})
