// Goal: what nothing names goes after its grace, by the clocks of the engines; what is named stays, whoever commits,
// moves, stalls or is killed meanwhile; and nobody can name what was swept.

import { describe, expect, test } from 'bun:test'
import { altered } from '../../../test/support/cluster/altered.ts'
import { Killed, killedAt } from '../../../test/support/cluster/killed-at.ts'
import { CLUSTER_KINDS, MadeCluster, TODAY } from '../../../test/support/cluster/made-cluster.ts'
import { MemoryObjects } from '../../../test/support/cluster/memory-objects.ts'
import { clusterStore } from '../cluster-store.ts'
import { type ClusterDatabase, SegmentSwept } from '../database/cluster-database.ts'
import type { Objects } from '../objects/objects.ts'
import { compact } from './compact.ts'
import { GRACE_MS, GRACE_MS_MIN, sweep, WrongCatalogue } from './sweep.ts'

const DAY_MS = 24 * 3_600_000
const before = TODAY
const keyOf = (date: string, digit: string) => `segments/${date}/${digit.repeat(64)}`
const UNKNOWN = keyOf('2026-07-23', 'a')

/** What a sweep a day later works with: the engines' clocks cannot be put forward, so every object is old to it. */
function aDayLater(cluster: MadeCluster): { objects: Objects; database: ClusterDatabase } {
  cluster.nowMs += GRACE_MS
  if (cluster.objects instanceof MemoryObjects) return cluster
  const { objects, database } = cluster
  return {
    // An HTTP date has no fractions of a second.
    objects: altered(objects, { nowMs: async () => (await objects.nowMs()) + GRACE_MS + 1_000 }),
    database: altered(database, {
      unnamed: (_, page) => database.unnamed(0, page),
      mark: (keys) => database.mark(keys, 0),
    } as Partial<ClusterDatabase>),
  }
}

describe.each(CLUSTER_KINDS)('on %s', (kind) => {
  test('after a compaction, the segments before it go, and everything is read', async () => {
    await using cluster = await MadeCluster.open(kind, 1)
    await cluster.commits(6)
    await compact(cluster.parts, { before })
    const named = await Array.fromAsync(cluster.database.segments())
    expect((await cluster.keys()).length).toBeGreaterThan(named.length)
    const seen = await sweep(aDayLater(cluster), { isDryRun: true })
    expect((await cluster.keys()).length).toBe(named.length + seen.unnamed)
    const report = await sweep(aDayLater(cluster))
    expect(report).toEqual(seen)
    expect(report).toMatchObject({ unknown: 0, unknownBytes: 0, foreign: 0 })
    expect(await cluster.keys()).toEqual(named.map(({ key }) => key))
    expect(await cluster.differences()).toEqual([])
    expect(await sweep(aDayLater(cluster))).toMatchObject({ unnamed: 0, unknown: 0 })
    expect(await cluster.database.damage()).toEqual([])
  })

  test('whoever knows rows from before reads on', async () => {
    await using cluster = await MadeCluster.open(kind, 13)
    await cluster.commits(4)
    const { objects, database } = cluster
    const store = clusterStore({ objects, database })
    expect(await cluster.differences(store)).toEqual([])
    await compact(cluster.parts, { before: '9999-12-31' })
    await sweep(aDayLater(cluster))
    expect(await cluster.differences(store)).toEqual([])
  })

  test('within the grace nothing goes', async () => {
    await using cluster = await MadeCluster.open(kind, 2)
    await cluster.commits(4)
    await compact(cluster.parts, { before })
    await cluster.objects.put(UNKNOWN, new Uint8Array(9))
    const keys = await cluster.keys()
    cluster.nowMs += GRACE_MS - 1
    expect(await sweep(cluster)).toMatchObject({ unnamed: 0, unknown: 0 })
    expect(await cluster.keys()).toEqual(keys)
  })

  test('an object that nothing ever named goes, and no commit can name it any more', async () => {
    await using cluster = await MadeCluster.open(kind, 3)
    await cluster.commits(3)
    await cluster.objects.put(UNKNOWN, new Uint8Array(9))
    expect(await sweep(aDayLater(cluster))).toMatchObject({ unknown: 1, unknownBytes: 9 })
    expect(await cluster.keys()).not.toContain(UNKNOWN)
    const commit = { segment: { key: UNKNOWN, bytes: 9 }, changes: [] }
    expect(await cluster.database.commitRows(commit).catch((error) => error)).toBeInstanceOf(SegmentSwept)
    const moved = await cluster.database.move({ key: UNKNOWN, bytes: 9 }, []).catch((error) => error)
    expect(moved).toBeInstanceOf(SegmentSwept)
    // A PUT that comes as late finds nobody who names it.
    await cluster.objects.put(UNKNOWN, new Uint8Array(9))
    expect(await sweep(aDayLater(cluster))).toMatchObject({ unknown: 1 })
    expect(await cluster.differences()).toEqual([])
  })

  test('a commit that is slower than the grace puts its object once more', async () => {
    await using cluster = await MadeCluster.open(kind, 4)
    await cluster.commits(3)
    const { database } = cluster
    let tries = 0
    const commitRows: ClusterDatabase['commitRows'] = async (commit) => {
      tries++
      if (tries === 1) expect(await sweep(aDayLater(cluster))).toMatchObject({ unknown: 1 })
      return database.commitRows(commit)
    }
    Object.assign(cluster, { database: altered(database, { commitRows }) })
    await cluster.commits(1)
    expect(tries).toBe(2)
    expect(await cluster.differences()).toEqual([])
    await sweep(aDayLater(cluster))
    expect(await cluster.differences()).toEqual([])
  })

  test('marks: what is known and named cannot be marked, and a mark is told again', async () => {
    await using cluster = await MadeCluster.open(kind, 5)
    await cluster.commits(1)
    const { database } = cluster
    const [named] = (await Array.fromAsync(database.segments())).map(({ key }) => key)
    const other = keyOf('2026-07-23', 'b')
    expect(await database.unknown([named!, UNKNOWN, other])).toEqual([UNKNOWN, other])
    expect(await database.mark([named!, UNKNOWN], 0)).toEqual([UNKNOWN])
    expect(await database.mark([named!, UNKNOWN], 0)).toEqual([UNKNOWN])
    expect(await database.unknown([named!, UNKNOWN, other])).toEqual([UNKNOWN, other])
    const page = { after: '', limit: 10 }
    const keys = async () => (await database.unnamed(DAY_MS, page)).map(({ key }) => key)
    expect(await keys()).toEqual([UNKNOWN])
    await database.swept([UNKNOWN, named!])
    expect(await keys()).toEqual([])
    expect(await database.unknown([named!, UNKNOWN])).toEqual([UNKNOWN])
    await database.forgetMarks(DAY_MS)
    expect(await database.mark([UNKNOWN], DAY_MS)).toEqual([UNKNOWN])
    await database.forgetMarks(0)
    expect(await keys()).toEqual([])
    const commit = { segment: { key: UNKNOWN, bytes: 9 }, changes: [] }
    expect(await database.commitRows(commit)).toEqual([])
  })
})

test('a mark outlives its object by 30 days', async () => {
  const cluster = new MadeCluster(6)
  await cluster.commits(1)
  await cluster.objects.put(UNKNOWN, new Uint8Array(9))
  cluster.nowMs += GRACE_MS
  await sweep(cluster)
  const commit = { segment: { key: UNKNOWN, bytes: 9 }, changes: [] }
  cluster.nowMs += 30 * DAY_MS - 1
  await sweep(cluster)
  expect(await cluster.database.commitRows(commit).catch((error) => error)).toBeInstanceOf(SegmentSwept)
  cluster.nowMs += 1
  await sweep(cluster)
  expect(await cluster.database.commitRows(commit)).toEqual([])
})

test.each(['before', 'after'] as const)('killed at any call, %s it took effect', async (when) => {
  let calls = Number.POSITIVE_INFINITY
  for (let at = 1; at <= calls; at++) {
    const cluster = new MadeCluster(7)
    await cluster.commits(4)
    await compact(cluster.parts, { before })
    await cluster.objects.put(UNKNOWN, new Uint8Array(9))
    cluster.nowMs += GRACE_MS
    const kill = { at, when, calls: 0 }
    const parts = { objects: killedAt(cluster.objects, kill), database: killedAt(cluster.database, kill) }
    const failure = await sweep(parts).catch((error: unknown) => error)
    if (kill.calls < at) calls = kill.calls
    else if (when === 'before') expect(failure).toBeInstanceOf(Killed)
    expect(await cluster.differences()).toEqual([])
    await sweep(cluster)
    expect(await cluster.keys()).toEqual((await Array.fromAsync(cluster.database.segments())).map(({ key }) => key))
    expect(await cluster.differences()).toEqual([])
  }
  expect(calls).toBeGreaterThan(8)
})

test("a machine's own clock does not count", async () => {
  const cluster = new MadeCluster(8)
  await cluster.commits(2)
  const ahead = new MemoryObjects((cluster.objects as MemoryObjects).stored, () => cluster.nowMs)
  // The object is as old as the store says, whatever the date in its name is.
  await ahead.put(keyOf('2020-01-01', 'c'), new Uint8Array(9))
  expect(await sweep({ objects: ahead, database: cluster.database })).toMatchObject({ unknown: 0 })
})

test('what is not called as a segment stays', async () => {
  const cluster = new MadeCluster(9)
  await cluster.commits(2)
  await cluster.objects.put('segments/read-me', new Uint8Array(9))
  await cluster.objects.put('other/read-me', new Uint8Array(9))
  cluster.nowMs += GRACE_MS
  expect(await sweep(cluster)).toMatchObject({ unknown: 0, foreign: 1 })
  expect(await cluster.keys()).toContain('segments/read-me')
})

test("another store's catalogue sweeps nothing, unless it is forced to", async () => {
  const [cluster, other] = [new MadeCluster(10), new MadeCluster(11)]
  await cluster.commits(3)
  await other.commits(3)
  const keys = await cluster.keys()
  const parts = { objects: cluster.objects, database: other.database }
  for (const each of [cluster, other]) each.nowMs += GRACE_MS
  for (const isDryRun of [true, false]) {
    expect(await sweep(parts, { isDryRun }).catch((error) => error)).toBeInstanceOf(WrongCatalogue)
  }
  expect(await cluster.keys()).toEqual(keys)
  expect(await sweep(parts, { isForced: true })).toMatchObject({ unknown: keys.length })
})

test('a grace that commits may need is refused', async () => {
  const failure = await sweep(new MadeCluster(12), { graceMs: GRACE_MS_MIN - 1 }).catch((error) => error)
  expect(failure).toBeInstanceOf(RangeError)
})
