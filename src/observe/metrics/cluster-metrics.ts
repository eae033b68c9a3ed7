// Metrics of a store that nodes share. None where the store is in a folder.

import type { ServiceReading } from '../stats/service-reading.ts'
import { gauge, type Metric } from './sample.ts'

const clusterOf = ({ store }: ServiceReading) => (store?.kind === 'cluster' ? store : null)

export const clusterMetrics: readonly Metric[] = [
  gauge('backbook_store_segments', 'Objects that hold data.', (reading) => clusterOf(reading)?.segments),
  gauge('backbook_store_segment_bytes', 'Their bytes.', (reading) => clusterOf(reading)?.segmentBytes),
  gauge(
    'backbook_cluster_changes_heard',
    '1 if this node hears at once what others commit, 0 if it asks.',
    (reading) => {
      const isHeard = clusterOf(reading)?.isHeard
      return isHeard === undefined || isHeard === null ? null : Number(isHeard)
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
  gauge('backbook_cluster_shards', 'Shards of markets that recorders share.', (reading) => clusterOf(reading)?.shards),
  gauge('backbook_cluster_shards_held', 'Those that a recorder holds.', (reading) => clusterOf(reading)?.shardsHeld),
  gauge('backbook_cluster_recorders', 'Recorders that are there.', (reading) => clusterOf(reading)?.recorders),
]
