// Metrics of a cluster store, which nodes share. There are none if the store is in a folder.

import type { ServiceReading } from '../stats/service-reading.ts'
import { counter, gauge, type Metric } from './sample.ts'

const clusterOf = ({ store }: ServiceReading) => (store?.kind === 'cluster' ? store : null)

export const clusterMetrics: readonly Metric[] = [
  gauge('backbook_store_segments', 'Objects that hold data.', (reading) => clusterOf(reading)?.segments),
  gauge('backbook_store_segment_bytes', 'Bytes of these objects.', (reading) => clusterOf(reading)?.segmentBytes),
  gauge(
    'backbook_cluster_changes_heard',
    '1 if commits of other nodes reach this node at once, 0 if it polls for them.',
    (reading) => {
      const isNotified = clusterOf(reading)?.isNotified
      return isNotified === undefined || isNotified === null ? null : Number(isNotified)
    },
  ),
  gauge(
    'backbook_cluster_days_to_compact',
    'Past market days that a compaction would move, counted up to 10,000.',
    (reading) => clusterOf(reading)?.daysToCompact,
  ),
  gauge(
    'backbook_cluster_segments_to_sweep',
    'Objects that a sweep would remove after a day, counted up to 10,000.',
    (reading) => clusterOf(reading)?.segmentsToSweep,
  ),
  counter('backbook_piece_cache_requests_total', 'Lookups of pieces in this node’s cache.', (reading) => {
    const node = clusterOf(reading)?.node
    if (node == null) return []
    return [
      { labels: { result: 'hit' }, value: node.hits },
      { labels: { result: 'miss' }, value: node.misses },
    ]
  }),
  counter(
    'backbook_piece_cache_failures_total',
    'Pieces that could not be written to or read from the cache file.',
    (reading) => clusterOf(reading)?.node?.failures,
  ),
  counter('backbook_object_reads_total', 'Ranges read from the bucket.', (reading) => clusterOf(reading)?.node?.reads),
  counter(
    'backbook_object_read_bytes_total',
    'Bytes read from the bucket.',
    (reading) => clusterOf(reading)?.node?.readBytes,
  ),
  counter(
    'backbook_object_read_failures_total',
    'Reads that failed after all attempts.',
    (reading) => clusterOf(reading)?.node?.failedReads,
  ),
]
