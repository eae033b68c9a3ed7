// Derives the components of the service and their states from one reading. docs/monitoring.md explains every value and
// every limit.

import type { ClusterStats, NodeCounts } from '../../../storage/maintenance.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { Component, State } from './component.ts'
import type { DescriptorState } from './descriptor-watch.ts'
import type { DiskStats } from './disk-stats.ts'
import type { EngineState } from './engine-probe.ts'
import { recorderComponents } from './recorder-components.ts'
import type { ServiceReading } from './service-reading.ts'
import type { TaskStats } from './task-stats.ts'

const GIGABYTE = 2 ** 30
const DISK_SHARE_MIN = 0.05
/** Free bytes below which the disk is low, whatever its free share, because writes will fail soon. */
const DISK_BYTES_MIN = GIGABYTE
/** Free bytes from which the disk is not low, however small its free share. */
const DISK_BYTES_PLENTY = 50 * GIGABYTE
/** Age from which unwritten usage is a fault. Normally, usage is written twice a second. */
const UNWRITTEN_SECONDS_MAX = 10

export function componentsOf(reading: ServiceReading, tasks: Pick<TaskStats, 'recent'>): Component[] {
  const { store, disk, descriptors, engines } = reading
  return [
    { name: 'storage', status: reading.isReadable ? 'ok' : 'down', figures: storageStats(store) },
    ...engines.map(engineState),
    ...(store?.kind === 'cluster' ? clusterState(store) : []),
    ...(disk === null ? [] : [diskState(disk)]),
    ...(descriptors === null ? [] : [descriptorState(descriptors)]),
    workersState(reading, tasks),
    accountsState(reading),
    ...VENUES.map((venue) => ingestionState(venue, reading)),
    ...recorderComponents(reading.recorder),
  ]
}

/** Returns the state of the service: down without the store, because then it can answer nothing; degraded by any other
 *  fault. */
export function overall(components: readonly Component[]): State {
  if (components.some(({ name, status }) => name === 'storage' && status === 'down')) return 'down'
  return components.some(({ status }) => status === 'down' || status === 'degraded') ? 'degraded' : 'ok'
}

function storageStats(store: ServiceReading['store']): Component['figures'] {
  if (store === null) return {}
  const { markets, partitions: market_days } = store
  if (store.kind === 'cluster') {
    return { markets, market_days, segments: store.segments, segment_bytes: store.segmentBytes }
  }
  return {
    file_bytes: store.fileBytes,
    used_bytes: store.usedBytes,
    free_bytes: store.freeBytes,
    map_bytes: store.mapBytes,
    reader_slots_used: store.readers,
    reader_slots: store.readersMax,
    ...{ markets, market_days },
    blocks: store.blocks,
  }
}

function clusterState({ isNotified, daysToCompact, segmentsToSweep, node }: ClusterStats): Component[] {
  const changes_heard = isNotified === null ? null : Number(isNotified)
  const upkeep = { changes_heard, days_to_compact: daysToCompact, segments_to_sweep: segmentsToSweep }
  return [
    ...(node === null ? [] : [cacheState(node)]),
    { name: 'cluster', status: isNotified === false ? 'degraded' : 'ok', figures: upkeep },
  ]
}

function cacheState({ failures, readBytes: read_bytes, failedReads: failed_reads, ...counts }: NodeCounts): Component {
  return { name: 'cache', status: 'ok', figures: { ...counts, failures, read_bytes, failed_reads } }
}

function diskState({ bytes, freeBytes }: DiskStats): Component {
  const isLow = freeBytes < DISK_BYTES_MIN || (freeBytes < bytes * DISK_SHARE_MIN && freeBytes < DISK_BYTES_PLENTY)
  return { name: 'disk', status: isLow ? 'degraded' : 'ok', figures: { total_bytes: bytes, free_bytes: freeBytes } }
}

const engineState = ({ name, isUp, answerMs, downSinceMs }: EngineState): Component => ({
  name,
  status: isUp ? 'ok' : 'down',
  figures: { answer_ms: rounded(answerMs), down_since: downSinceMs },
})

const descriptorState = ({ isShort, open, limit }: DescriptorState): Component => {
  return { name: 'descriptors', status: isShort ? 'degraded' : 'ok', figures: { open, limit } }
}

function workersState({ pool }: ServiceReading, tasks: Pick<TaskStats, 'recent'>): Component {
  const { threads, running, queued, queueMax, completed } = pool
  const isRefusing = threads === 0 || queued >= queueMax
  const recent = tasks.recent()
  return {
    name: 'workers',
    status: isRefusing ? 'down' : queued > 0 && running >= threads ? 'degraded' : 'ok',
    figures: {
      threads,
      running,
      queued,
      queue_max: queueMax,
      completed,
      recent_tasks: recent.tasks,
      task_ms_p50: rounded(recent.workMs.p50),
      task_ms_p99: rounded(recent.workMs.p99),
      wait_ms_p50: rounded(recent.waitMs.p50),
      wait_ms_p99: rounded(recent.waitMs.p99),
    },
  }
}

function accountsState({ accounts: { isUp, answerMs, unwritten } }: ServiceReading): Component {
  const isLate = unwritten.seconds > UNWRITTEN_SECONDS_MAX
  return {
    name: 'accounts',
    status: isUp ? (isLate ? 'degraded' : 'ok') : 'down',
    figures: {
      answer_ms: rounded(answerMs),
      unwritten_requests: unwritten.requests,
      unwritten_seconds: rounded(unwritten.seconds),
    },
  }
}

function ingestionState(venue: Venue, { isReadable, lastRecords }: ServiceReading): Component {
  const last = lastRecords[venue]
  return {
    name: `ingestion_${venue}`,
    status: !isReadable ? 'down' : last === null ? 'idle' : 'ok',
    figures: {
      last_record_timestamp: last?.timestampMs ?? null,
      age_seconds: last === null ? null : Math.floor(last.ageSeconds),
    },
  }
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 1000) / 1000)
