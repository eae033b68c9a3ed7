// A compaction moves past days into large segments in order. Every piece reads the same before, during and after it,
// and a kill at any step loses nothing.

import { describe, expect, test } from 'bun:test'
import { Killed, killedAt } from '../../../test/support/cluster/killed-at.ts'
import { CLUSTER_KINDS, MadeCluster, TODAY } from '../../../test/support/cluster/made-cluster.ts'
import type { MemoryObjects } from '../../../test/support/cluster/memory-objects.ts'
import type { PartitionKey } from '../../partition-key.ts'
import { dayKey } from '../../rows/keys.ts'
import { unpackDay } from '../../rows/market-rows.ts'
import { ObjectGone, type ObjectRange } from '../objects/objects.ts'
import { openPlacement, type PlacedPiece } from '../segment/pieces.ts'
import { clusterDamage } from './cluster-damage.ts'
import { compact, inReadingOrder } from './compact.ts'

const before = TODAY
const SEEDS = [1, 2, 3, 4, 5]
const piece = (kind: PlacedPiece['kind'], id: number, book = 0) => ({ kind, id, book }) as PlacedPiece

async function placementOf(cluster: MadeCluster, key: PartitionKey) {
  const [row] = await cluster.rows.get([dayKey(key)])
  return openPlacement(key, unpackDay(key, row!).placement)
}

/** Returns the segments and the kinds of the pieces of each stored day, in the order in which they are stored. */
async function places(cluster: MadeCluster) {
  const rows: { key: PartitionKey; segments: string[]; kinds: string[]; start: number; isOneRange: boolean }[] = []
  for (const { key } of cluster.expected.values()) {
    const { segments, pieces: placed } = await placementOf(cluster, key)
    const pieces = placed.sort((a, b) => a.start - b.start)
    const isOneRange = pieces.every(
      ({ start }, at) => at === 0 || start === pieces[at - 1]!.start + pieces[at - 1]!.length,
    )
    rows.push({
      key,
      segments,
      kinds: pieces.map(({ kind }) => kind),
      start: pieces[0]!.start,
      isOneRange,
    })
  }
  return rows
}

describe.each(CLUSTER_KINDS)('on %s', (kind) => {
  test.each(kind === 'doubles' ? SEEDS : [1])('each past day is one range, in order (seed %d)', async (seed) => {
    await using cluster = await MadeCluster.open(kind, seed)
    await cluster.commits(8)
    const revisions = async () => {
      const { catalogue } = cluster.store()
      return Promise.all([...cluster.expected.values()].map(({ key }) => catalogue.revision(key.venue, key.market)))
    }
    const revisionsBefore = await revisions()
    const report = await compact(cluster.parts, { before })
    expect(report).toMatchObject({ segments: 1, refused: 0, damage: [] })
    expect(await cluster.differences()).toEqual([])
    expect(await revisions()).toEqual(revisionsBefore)
    const rows = await places(cluster)
    const past = rows.filter(({ key }) => key.date < before)
    expect(report.partitions).toBe(past.length)
    expect(past.every(({ segments, isOneRange }) => segments.length === 1 && isOneRange)).toBe(true)
    const order = past.toSorted((a, b) => a.start - b.start).map(({ key }) => `${key.venue} ${key.date} ${key.market}`)
    expect(order).toEqual([
      ...order.filter((name) => name.startsWith('polymarket')).sort(),
      ...order.filter((name) => name.startsWith('kalshi')).sort(),
    ])
    for (const { kinds } of past) {
      const inOrder = ['minutes', 'books', 'seconds', 'state', 'block']
      expect(kinds).toEqual(kinds.toSorted((a, b) => inOrder.indexOf(a) - inOrder.indexOf(b)))
    }
    expect(await compact(cluster.parts, { before })).toMatchObject({ partitions: 0, segments: 0 })
    expect(await clusterDamage(cluster)).toEqual([])
  })

  test('the next run moves days that have changed since', async () => {
    await using cluster = await MadeCluster.open(kind, 7)
    await cluster.commits(4)
    await compact(cluster.parts, { before })
    await cluster.commits(1)
    const report = await compact(cluster.parts, { before })
    expect(report.segments).toBe(1)
    expect(await cluster.differences()).toEqual([])
    expect((await places(cluster)).filter(({ key, isOneRange }) => key.date < before && !isOneRange)).toEqual([])
  })

  test('a day that changes meanwhile stays where it is', async () => {
    await using cluster = await MadeCluster.open(kind, 8)
    await cluster.commits(4)
    const { objects } = cluster
    const past = (await places(cluster)).filter(({ key }) => key.date < before).length
    let isFirst = true
    const put = async (key: string, bytes: Uint8Array) => {
      await objects.put(key, bytes)
      if (isFirst) {
        isFirst = false
        await cluster.commits(1)
      }
    }
    const slow = new Proxy(objects, { get: (of, name) => (name === 'put' ? put : Reflect.get(of, name).bind(of)) })
    const report = await compact({ ...cluster.parts, objects: slow }, { before })
    expect(report.refused).toBeGreaterThan(0)
    expect(report.partitions).toBe(past - report.refused)
    expect(await cluster.differences()).toEqual([])
    expect(await compact(cluster.parts, { before })).toMatchObject({ refused: 0 })
    expect(await cluster.differences()).toEqual([])
    expect(await clusterDamage(cluster)).toEqual([])
  })
})

test('segments are no larger than requested, unless one day of a market is', async () => {
  const cluster = new MadeCluster(9)
  await cluster.commits(8)
  const reports: number[] = []
  const report = await compact(cluster.parts, {
    before,
    segmentBytes: 3_000,
    onSegment: ({ segments }) => void reports.push(segments),
  })
  expect(report.segments).toBeGreaterThan(3)
  expect(reports.at(-1)).toBe(report.segments)
  expect(await cluster.differences()).toEqual([])
  const rows = (await places(cluster)).filter(({ key }) => key.date < before)
  const stored = (cluster.objects as MemoryObjects).stored
  for (const [key, days] of Map.groupBy(rows, ({ segments }) => segments[0]!)) {
    if (days.length > 1) expect(stored.get(key)!.bytes.length).toBeLessThan(3_000 + 100)
  }
})

test.each(['before', 'after'] as const)('killed at any call, %s it took effect: nothing is lost', async (when) => {
  let calls = Number.POSITIVE_INFINITY
  for (let at = 1; at <= calls; at++) {
    const cluster = new MadeCluster(10)
    await cluster.commits(3)
    const kill = { at, when, calls: 0 }
    const parts = {
      ...cluster.parts,
      objects: killedAt(cluster.objects, kill),
      rows: killedAt(cluster.rows, kill),
    }
    const failure = await compact(parts, { before, segmentBytes: 2_000 }).catch((error: unknown) => error)
    if (kill.calls < at) calls = kill.calls
    else if (when === 'before') expect(failure).toBeInstanceOf(Killed)
    expect(await cluster.differences()).toEqual([])
    expect(await compact(cluster.parts, { before })).toMatchObject({ refused: 0, damage: [] })
    expect(await cluster.differences()).toEqual([])
    expect((await places(cluster)).filter(({ key, isOneRange }) => key.date < before && !isOneRange)).toEqual([])
    expect(await clusterDamage(cluster)).toEqual([])
  }
  expect(calls).toBeGreaterThan(10)
})

describe('a damaged piece', () => {
  test('is named and stays, the rest moves', async () => {
    const cluster = new MadeCluster(11)
    await cluster.commits(4)
    const stored = (cluster.objects as MemoryObjects).stored
    const { key, day } = [...cluster.expected.values()].find(({ key }) => key.date < before)!
    const placement = await placementOf(cluster, key)
    const piece = placement.pieces[0]!
    const segment = placement.segments[piece.segment]!
    const object = stored.get(segment)!
    object.bytes[piece.start + piece.length - 1]! ^= 1
    const report = await compact(cluster.parts, { before })
    expect(report.damage.map(({ what: _, ...place }) => place)).toEqual([key])
    expect(report.damage[0]!.what).toStartWith(`${piece.kind} ${piece.id} ${piece.book}: `)
    expect(report.damage[0]!.what).toEndWith(`, in the object ${segment}`)
    expect(await placementOf(cluster, key)).toEqual(placement)
    object.bytes[piece.start + piece.length - 1]! ^= 1
    expect(day.parts.size).toBeGreaterThan(0)
    expect(await cluster.differences()).toEqual([])
    expect(await compact(cluster.parts, { before })).toMatchObject({ partitions: 1, damage: [] })
    expect(await cluster.differences()).toEqual([])
  })

  test('does not include what was swept because another compaction moved its rows', async () => {
    const cluster = new MadeCluster(13)
    await cluster.commits(4)
    const { objects } = cluster
    let isFirst = true
    const read = async ({ key }: ObjectRange) => {
      if (isFirst) {
        isFirst = false
        await compact(cluster.parts, { before })
      }
      throw new ObjectGone(key)
    }
    const late = new Proxy(objects, { get: (of, name) => (name === 'read' ? read : Reflect.get(of, name).bind(of)) })
    const report = await compact({ ...cluster.parts, objects: late }, { before })
    expect(report).toMatchObject({ partitions: 0, segments: 0, damage: [] })
    expect(report.refused).toBe((await places(cluster)).filter(({ key }) => key.date < before).length)
    expect(await cluster.differences()).toEqual([])
  })

  test.each([
    ['is lost', () => undefined],
    ['is cut short', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1)],
    ['has another byte', (bytes: Uint8Array) => bytes.with(40, bytes[40]! ^ 1)],
  ])('a segment that %s after its PUT was acknowledged: no row names it', async (_, storedPart) => {
    const cluster = new MadeCluster(12)
    await cluster.commits(3)
    const { objects } = cluster
    const put = async (key: string, bytes: Uint8Array) => {
      const left = storedPart(bytes)
      if (left !== undefined) await objects.put(key, left)
    }
    const lossy = new Proxy(objects, { get: (of, name) => (name === 'put' ? put : Reflect.get(of, name).bind(of)) })
    const failure = await compact({ ...cluster.parts, objects: lossy }, { before }).catch((error: Error) => error)
    expect(failure).toMatchObject({ code: 'store_unavailable' })
    expect(await cluster.differences()).toEqual([])
    expect((await clusterDamage(cluster)).length).toBe(0)
  })
})

test('minutes and books come first, then seconds, states and blocks; by book, then by number', () => {
  const pieces = [
    ...[piece('block', 2), piece('block', 1), piece('state', 1), piece('seconds', 1, 1), piece('seconds', 9, 0)],
    ...[piece('books', 0), piece('minutes', 3, 1), piece('minutes', 4, 0)],
  ]
  const given = [...pieces]
  expect(inReadingOrder(pieces)).toEqual([
    ...[piece('minutes', 4, 0), piece('minutes', 3, 1), piece('books', 0), piece('seconds', 9, 0)],
    ...[piece('seconds', 1, 1), piece('state', 1), piece('block', 1), piece('block', 2)],
  ])
  expect(pieces).toEqual(given)
})
