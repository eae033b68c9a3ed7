// The status of a cluster has the counts of stored data, and of data that waits for maintenance.

import { expect, test } from 'bun:test'
import { MadeCluster, START_MS, TODAY } from '../../../test/support/cluster/made-cluster.ts'
import { DAY_MS } from '../../units.ts'
import { clusterStats } from './cluster-stats.ts'
import { compact } from './compact.ts'
import { namedSegments } from './stored-segments.ts'

test('counts equal those of the rows, before and after a compaction', async () => {
  const cluster = new MadeCluster(21)
  await cluster.commits(6)
  const days = [...cluster.expected.values()]
  const past = days.filter(({ key }) => key.date < TODAY).length
  const check = async (daysToCompact: number) => {
    const named = await Array.fromAsync(namedSegments(cluster.rows))
    expect(await clusterStats(cluster.rows, START_MS)).toMatchObject({
      markets: new Set(days.map(({ key }) => `${key.venue} ${key.market}`)).size,
      ...{ partitions: days.length, segments: named.length, daysToCompact, segmentsToSweep: 0 },
      segmentBytes: named.reduce((sum, { bytes }) => sum + bytes, 0),
    })
  }
  await check(past)
  await compact(cluster.parts, { before: TODAY })
  await check(0)
  expect((await clusterStats(cluster.rows, START_MS + DAY_MS)).segmentsToSweep).toBeGreaterThan(0)
})
