// Goal: what the catalogue says of objects is held against them, each fault is named, and what others do meanwhile is
// taken for none.

import { describe, expect, test } from 'bun:test'
import { CLUSTER_KINDS, MadeCluster, TODAY } from '../../../test/support/cluster/made-cluster.ts'
import type { MemoryObjects } from '../../../test/support/cluster/memory-objects.ts'
import type { ClusterDatabase } from '../database/cluster-database.ts'
import { openPieces, sealPieces } from '../segment/pieces.ts'
import { clusterDamage } from './cluster-damage.ts'
import { compact } from './compact.ts'
import { GRACE_MS, sweep } from './sweep.ts'

test.each(CLUSTER_KINDS)('there is none in a cluster on %s', async (kind) => {
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
    const named = await Array.fromAsync(cluster.database.segments())
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
  const withRow = async (change: (row: { pieces: Uint8Array; segments: string[] }, key: Key) => void) => {
    const cluster = new MadeCluster(3)
    await cluster.commits(3)
    const { key } = [...cluster.expected.values()][0]!
    const { database } = cluster
    const days: ClusterDatabase['days'] = async (asked) => {
      const found = await database.days(asked)
      for (const [index, { market }] of asked.entries()) {
        if (market === key.market) for (const day of found[index]!.days) if (day.date === key.date) change(day, key)
      }
      return found
    }
    const get = (of: ClusterDatabase, name: string | symbol) =>
      name === 'days' ? days : (Reflect.get(of, name) as () => void).bind(of)
    return clusterDamage({ objects: cluster.objects, database: new Proxy(database, { get }) })
  }

  test.each([
    ['that counts in no segment', { segment: 99 }, 'names no segment of its piece'],
    ['with a piece behind the end', { start: 1e9 }, 'is outside of the object'],
  ])('%s', async (_, change, words) => {
    const damage = await withRow((row, key) => {
      const [first, ...rest] = openPieces(key, row.pieces)
      row.pieces = sealPieces(key, [{ ...first!, ...change }, ...rest])
    })
    expect(damage).toHaveLength(1)
    expect(damage[0]).toContain(words)
  })

  test('whose index cannot be read', async () => {
    const damage = await withRow((row) => {
      row.pieces = row.pieces.with(9, row.pieces[9]! ^ 1)
    })
    expect(damage).toHaveLength(1)
    expect(damage[0]).toContain('index of its pieces')
  })
})

test('what is compacted and swept after the objects were listed is no damage', async () => {
  const cluster = new MadeCluster(4)
  await cluster.commits(4)
  const { database } = cluster
  const get = (of: ClusterDatabase, name: string | symbol) => {
    if (name !== 'segments') return (Reflect.get(of, name) as () => void).bind(of)
    return async function* () {
      const named = await Array.fromAsync(database.segments())
      await compact(cluster.parts, { before: '9999-12-31' })
      cluster.nowMs += GRACE_MS
      await sweep(cluster)
      yield* named
    }
  }
  expect(await clusterDamage({ objects: cluster.objects, database: new Proxy(database, { get }) })).toEqual([])
})

type Key = Parameters<typeof openPieces>[0]
