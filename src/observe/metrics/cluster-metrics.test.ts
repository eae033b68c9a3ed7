// Tests the metrics of a store that nodes share.

import { expect, test } from 'bun:test'
import type { ClusterStats } from '../../../storage/maintenance.ts'
import type { ServiceReading } from '../stats/service-reading.ts'
import { clusterMetrics } from './cluster-metrics.ts'

const CLUSTER: ClusterStats = {
  ...{ kind: 'cluster', markets: 1, partitions: 2, segments: 3, segmentBytes: 4, daysToCompact: 5, segmentsToSweep: 6 },
  ...{ isNotified: true, node: { hits: 7, misses: 8, failures: 9, reads: 10, readBytes: 11, failedReads: 12 } },
}

const valuesOf = (store: unknown) =>
  Object.fromEntries(
    clusterMetrics.flatMap(({ name, read }) =>
      read({ store } as ServiceReading).map(({ labels, value }) => [
        labels === undefined ? name.slice('backbook_'.length) : `${name.slice('backbook_'.length)} ${labels['result']}`,
        value,
      ]),
    ),
  )

test('each metric has its own value', () => {
  expect(valuesOf(CLUSTER)).toEqual({
    ...{ store_segments: 3, store_segment_bytes: 4, cluster_changes_heard: 1, cluster_days_to_compact: 5 },
    ...{ cluster_segments_to_sweep: 6, 'piece_cache_requests_total hit': 7, 'piece_cache_requests_total miss': 8 },
    ...{ piece_cache_failures_total: 9, object_reads_total: 10, object_read_bytes_total: 11 },
    object_read_failures_total: 12,
  })
})

test('a value that a process does not count has no sample, and a store in a folder has none', () => {
  expect(valuesOf({ ...CLUSTER, isNotified: null, node: null })).toEqual({
    ...{ store_segments: 3, store_segment_bytes: 4, cluster_days_to_compact: 5, cluster_segments_to_sweep: 6 },
  })
  expect(valuesOf({ ...CLUSTER, isNotified: false })).toMatchObject({ cluster_changes_heard: 0 })
  expect([valuesOf({ kind: 'file' }), valuesOf(null)]).toEqual([{}, {}])
})
