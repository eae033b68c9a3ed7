// The check compares the catalogue with the objects and names each fault. Work of other processes meanwhile does not
// count as a fault.

import { describe, expect, test } from 'bun:test'
import { CLUSTER_KINDS, MadeCluster, TODAY } from '../../../test/support/cluster/made-cluster.ts'
import type { MemoryObjects } from '../../../test/support/cluster/memory-objects.ts'
import { dayKey } from '../../rows/keys.ts'
import { packDay, unpackDay } from '../../rows/market-rows.ts'
import type { RangePage } from '../../rows/rows.ts'
import type { ClusterRows } from '../cluster-rows.ts'
import { openPlacement, type Placement, sealPlacement } from '../segment/pieces.ts'
import { segmentKey } from '../segment/segment-rows.ts'
import { clusterDamage } from './cluster-damage.ts'
import { compact } from './compact.ts'
import { namedSegments } from './stored-segments.ts'
import { GRACE_MS, sweep } from './sweep.ts'

test.each(CLUSTER_KINDS)('a cluster on %s has no damage', async (kind) => {
  await using cluster = await MadeCluster.open(kind, 1)
  await cluster.commits(5)
  expect(await clusterDamage(cluster)).toEqual([])
  await compact(cluster.parts, { before: TODAY })
  expect(await clusterDamage(cluster)).toEqual([])
})

describe('an object', () => {
  const damaged = async (change: (stored: MemoryObjects['stored'], key: string) => void) => {
    const cluster = new MadeCluster(2)
    await cluster.commits(5)
    const named = await Array.fromAsync(namedSegments(cluster.rows))
    const { key, bytes } = named[2]!
    change((cluster.objects as MemoryObjects).stored, key)
    return { key, bytes, damage: await clusterDamage(cluster) }
  }

  test('that is missing', async () => {
    const { key, damage } = await damaged((stored, name) => stored.delete(name))
    expect(damage).toEqual([`The object ${key} is missing, and rows name it`])
  })

  test('that ends too early', async () => {
    const { key, bytes, damage } = await damaged((stored, name) => {
      const object = stored.get(name)!
      object.bytes = object.bytes.subarray(0, -1)
    })
    expect(damage).toEqual([`The object ${key} ends before its byte ${bytes}`])
  })

  test('that is longer', async () => {
    const { key, bytes, damage } = await damaged((stored, name) => {
      const object = stored.get(name)!
      object.bytes = Buffer.concat([object.bytes, Buffer.alloc(2)])
    })
    expect(damage).toEqual([`The object ${key} has ${bytes + 2} bytes, and the catalogue says ${bytes}`])
  })
})

describe('a row', () => {
  const withRow = async (change: (placement: Uint8Array, key: Key) => Uint8Array) => {
    const cluster = new MadeCluster(3)
    await cluster.commits(3)
    const { key } = [...cluster.expected.values()][0]!
    const [row] = await cluster.rows.get([dayKey(key)])
    const { head, placement } = unpackDay(key, row!)
    const value = packDay({ head, placement: change(placement, key) })
    await cluster.rows.commit({ expect: [], put: [{ key: dayKey(key), value }], remove: [] })
    return clusterDamage(cluster)
  }
  const changed = (placement: Uint8Array, key: Key, change: (pieces: Placement['pieces']) => void) => {
    const opened = openPlacement(key, placement)
    change(opened.pieces)
    return sealPlacement(key, opened)
  }

  test.each([
    ['that counts in no segment', { segment: 99 }, 'names no segment of its piece'],
    ['with a piece behind the end', { start: 1e9 }, 'is outside of the object'],
  ])('%s', async (_, other, words) => {
    const damage = await withRow((placement, key) =>
      changed(placement, key, (pieces) => {
        pieces[0] = { ...pieces[0]!, ...other }
      }),
    )
    expect(damage).toHaveLength(1)
    expect(damage[0]).toContain(words)
  })

  test('whose index cannot be read', async () => {
    const damage = await withRow((placement) => placement.with(9, placement[9]! ^ 1))
    expect(damage.filter((sentence) => sentence.includes('index of its pieces'))).toHaveLength(1)
    // The check counts the segment's partitions, but not the unreadable row, so the counts differ.
    expect(damage.filter((sentence) => !sentence.includes('index of its pieces')).join()).toMatch(/has a count of/)
  })

  test('of a segment that is lost', async () => {
    const cluster = new MadeCluster(5)
    await cluster.commits(2)
    const { key } = (await Array.fromAsync(namedSegments(cluster.rows)))[0]!
    await cluster.rows.commit({ expect: [], put: [], remove: [segmentKey(key)] })
    expect(await clusterDamage(cluster)).toContain(`Partitions name the segment ${key}, which has no entry`)
  })
})

test('objects that are compacted or swept after the list are not damage', async () => {
  const cluster = new MadeCluster(4)
  await cluster.commits(4)
  const { rows } = cluster
  let isFirst = true
  const get = (of: ClusterRows, name: string | symbol) => {
    if (name !== 'range') return (Reflect.get(of, name) as () => void).bind(of)
    return async (page: RangePage) => {
      const found = await rows.range(page)
      if (page.from === 'o' && isFirst) {
        isFirst = false
        await compact(cluster.parts, { before: '9999-12-31' })
        cluster.nowMs += GRACE_MS
        await sweep(cluster)
      }
      return found
    }
  }
  expect(await clusterDamage({ objects: cluster.objects, rows: new Proxy(rows, { get }) })).toEqual([])
  expect(isFirst).toBe(false)
})

type Key = Parameters<typeof openPlacement>[0]
