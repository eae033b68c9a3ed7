// A sweep removes an object that rows named before after its grace period, and an object that no row ever named after
// 30 days. The clock of the object store decides. A named object stays, even if a process commits, compacts, stalls
// or is killed meanwhile.

import { describe, expect, test } from 'bun:test'
import { altered } from '../../../test/support/cluster/altered.ts'
import { Killed, killedAt } from '../../../test/support/cluster/killed-at.ts'
import { CLUSTER_KINDS, MadeCluster, TODAY } from '../../../test/support/cluster/made-cluster.ts'
import { MemoryObjects } from '../../../test/support/cluster/memory-objects.ts'
import type { Rows } from '../../rows/rows.ts'
import { clusterStore } from '../cluster-store.ts'
import type { Objects } from '../objects/objects.ts'
import { clusterDamage } from './cluster-damage.ts'
import { compact } from './compact.ts'
import { namedSegments, unknownKeys } from './stored-segments.ts'
import { GRACE_MS, GRACE_MS_MIN, sweep, UNKNOWN_MS, WrongCatalogue } from './sweep.ts'

const before = TODAY
const keyOf = (date: string, digit: string) => `segments/${date}/${digit.repeat(64)}`
const UNKNOWN = keyOf('2026-07-23', 'a')

/** Returns objects and rows for a sweep `ms` later. For a real store it changes the reading of the store's clock. */
function later(cluster: MadeCluster, ms: number): { objects: Objects; rows: Rows } {
  cluster.nowMs += ms
  if (cluster.objects instanceof MemoryObjects) return cluster
  const { objects, rows } = cluster
  // An HTTP date has no fractions of a second.
  return { objects: altered(objects, { nowMs: async () => (await objects.nowMs()) + ms + 1_000 }), rows }
}

const aDayLater = (cluster: MadeCluster) => later(cluster, GRACE_MS)

describe.each(CLUSTER_KINDS)('on %s', (kind) => {
  test('after a compaction, the old segments are removed, and everything can be read', async () => {
    await using cluster = await MadeCluster.open(kind, 1)
    await cluster.commits(6)
    await compact(cluster.parts, { before })
    const named = await Array.fromAsync(namedSegments(cluster.rows))
    expect((await cluster.keys()).length).toBeGreaterThan(named.length)
    const seen = await sweep(aDayLater(cluster), { isDryRun: true })
    expect((await cluster.keys()).length).toBe(named.length + seen.unnamed)
    const report = await sweep(aDayLater(cluster))
    expect(report).toEqual(seen)
    expect(report).toMatchObject({ unknown: 0, unknownBytes: 0, foreign: 0 })
    expect(await cluster.keys()).toEqual(named.map(({ key }) => key))
    expect(await cluster.differences()).toEqual([])
    expect(await sweep(aDayLater(cluster))).toMatchObject({ unnamed: 0, unknown: 0 })
    expect(await clusterDamage(cluster)).toEqual([])
  })

  test('a reader that has rows from before can still read', async () => {
    await using cluster = await MadeCluster.open(kind, 13)
    await cluster.commits(4)
    const { objects, rows } = cluster
    const store = clusterStore({ objects, rows })
    expect(await cluster.differences(store)).toEqual([])
    await compact(cluster.parts, { before: '9999-12-31' })
    await sweep(aDayLater(cluster))
    expect(await cluster.differences(store)).toEqual([])
  })

  test('a writer that has cached days from before a compaction plans its commit again', async () => {
    await using cluster = await MadeCluster.open(kind, 15)
    const { objects, rows } = cluster
    const store = clusterStore({ objects, rows })
    Object.assign(cluster, { store: () => store })
    await cluster.commits(3)
    await compact(cluster.parts, { before: '9999-12-31' })
    await cluster.commits(3)
    await sweep(aDayLater(cluster))
    expect(await cluster.differences()).toEqual([])
    expect(await clusterDamage(cluster)).toEqual([])
  })

  test('nothing is removed within the grace period', async () => {
    await using cluster = await MadeCluster.open(kind, 2)
    await cluster.commits(4)
    await compact(cluster.parts, { before })
    await cluster.objects.put(UNKNOWN, new Uint8Array(9))
    const keys = await cluster.keys()
    cluster.nowMs += GRACE_MS - 1
    expect(await sweep(cluster)).toMatchObject({ unnamed: 0, unknown: 0 })
    expect(await cluster.keys()).toEqual(keys)
  })

  test('an object that no row ever named is removed after 30 days, again if a PUT arrives later', async () => {
    await using cluster = await MadeCluster.open(kind, 3)
    await cluster.commits(3)
    await cluster.objects.put(UNKNOWN, new Uint8Array(9))
    const named = (await Array.fromAsync(namedSegments(cluster.rows))).map(({ key }) => key)
    expect(await unknownKeys(cluster.rows, [...named, UNKNOWN])).toEqual([UNKNOWN])
    expect(await sweep(aDayLater(cluster))).toMatchObject({ unknown: 0 })
    expect(await cluster.keys()).toContain(UNKNOWN)
    expect(await sweep(later(cluster, UNKNOWN_MS))).toMatchObject({ unknown: 1, unknownBytes: 9 })
    expect(await cluster.keys()).not.toContain(UNKNOWN)
    await cluster.objects.put(UNKNOWN, new Uint8Array(9))
    expect(await sweep(later(cluster, UNKNOWN_MS))).toMatchObject({ unknown: 1 })
    expect(await cluster.differences()).toEqual([])
  })
})

test('an object that nothing ever named stays for 30 days, or for a longer grace', async () => {
  const cluster = new MadeCluster(6)
  await cluster.commits(1)
  await cluster.objects.put(UNKNOWN, new Uint8Array(9))
  cluster.nowMs += UNKNOWN_MS - 1
  expect(await sweep(cluster)).toMatchObject({ unknown: 0 })
  cluster.nowMs += 1
  expect(await sweep(cluster, { graceMs: UNKNOWN_MS + 1 })).toMatchObject({ unknown: 0 })
  expect(await sweep(cluster)).toMatchObject({ unknown: 1 })
})

test.each(['before', 'after'] as const)('killed at any call, %s it took effect', async (when) => {
  let calls = Number.POSITIVE_INFINITY
  for (let at = 1; at <= calls; at++) {
    const cluster = new MadeCluster(7)
    await cluster.commits(4)
    await compact(cluster.parts, { before })
    await cluster.objects.put(UNKNOWN, new Uint8Array(9))
    cluster.nowMs += UNKNOWN_MS
    const kill = { at, when, calls: 0 }
    const parts = { objects: killedAt(cluster.objects, kill), rows: killedAt(cluster.rows, kill) }
    const failure = await sweep(parts).catch((error: unknown) => error)
    if (kill.calls < at) calls = kill.calls
    else if (when === 'before') expect(failure).toBeInstanceOf(Killed)
    expect(await cluster.differences()).toEqual([])
    await sweep(cluster)
    expect(await cluster.keys()).toEqual((await Array.fromAsync(namedSegments(cluster.rows))).map(({ key }) => key))
    expect(await cluster.differences()).toEqual([])
  }
  expect(calls).toBeGreaterThan(4)
})

test("a machine's own clock does not count", async () => {
  const cluster = new MadeCluster(8)
  await cluster.commits(2)
  const ahead = new MemoryObjects((cluster.objects as MemoryObjects).stored, () => cluster.nowMs)
  // The store's clock decides the age of the object, whatever date its name has.
  await ahead.put(keyOf('2020-01-01', 'c'), new Uint8Array(9))
  expect(await sweep({ objects: ahead, rows: cluster.rows })).toMatchObject({ unknown: 0 })
})

test('objects without the name of a segment stay', async () => {
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
  const parts = { objects: cluster.objects, rows: other.rows }
  for (const each of [cluster, other]) each.nowMs += UNKNOWN_MS
  for (const isDryRun of [true, false]) {
    expect(await sweep(parts, { isDryRun }).catch((error) => error)).toBeInstanceOf(WrongCatalogue)
  }
  expect(await cluster.keys()).toEqual(keys)
  expect(await sweep(parts, { isForced: true })).toMatchObject({ unknown: keys.length })
})

test('a grace that readers may need is refused', async () => {
  const failure = await sweep(new MadeCluster(12), { graceMs: GRACE_MS_MIN - 1 }).catch((error) => error)
  expect(failure).toBeInstanceOf(RangeError)
})
