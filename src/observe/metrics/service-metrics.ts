// Metrics of the process, the store, the disk, the accounts and the newest records, and the state of each component.
// The metrics of the process have Prometheus's usual names.

import { VENUES, type Venue } from '../../../storage/venue.ts'
import { componentsOf } from '../stats/components.ts'
import { descriptorLimit, openDescriptors } from '../stats/descriptor-watch.ts'
import type { ServiceReading, ServiceSources } from '../stats/service-reading.ts'
import { clusterMetrics } from './cluster-metrics.ts'
import { counter, gauge, type Metric } from './sample.ts'

/** Returns the stats of a store in a folder; null for a cluster store. */
const fileOf = ({ store }: ServiceReading) => (store?.kind === 'file' ? store : null)

const STATES = ['ok', 'degraded', 'down', 'idle'] as const

export const serviceMetrics = ({ tasks, version }: ServiceSources): Metric[] => [
  gauge('backbook_build_info', 'The version of the program and of its runtime.', () => [
    { labels: { version, bun: Bun.version }, value: 1 },
  ]),
  counter('process_cpu_seconds_total', 'User and system time of all threads.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }),
  gauge('process_resident_memory_bytes', 'Resident memory of all threads.', () => process.memoryUsage.rss()),
  gauge('process_start_time_seconds', 'When the process started, Unix time.', () => performance.timeOrigin / 1000),
  gauge('process_open_fds', 'Open files and sockets.', openDescriptors),
  gauge('process_max_fds', 'Limit of open files and sockets.', descriptorLimit),
  gauge('backbook_component_status', '1 for the status of the component, 0 for the other statuses.', (reading) =>
    componentsOf(reading, tasks).flatMap(({ name, status }) =>
      STATES.map((each) => ({ labels: { component: name, status: each }, value: each === status ? 1 : 0 })),
    ),
  ),
  gauge('backbook_store_file_bytes', 'Size of the file of the store.', (reading) => fileOf(reading)?.fileBytes),
  gauge(
    'backbook_store_used_bytes',
    'Bytes of the file that data and index use.',
    (reading) => fileOf(reading)?.usedBytes,
  ),
  gauge(
    'backbook_store_free_bytes',
    'Bytes of the file that are free and will be reused.',
    (reading) => fileOf(reading)?.freeBytes,
  ),
  gauge('backbook_store_map_bytes', 'Address space of the mapped file.', (reading) => fileOf(reading)?.mapBytes),
  gauge(
    'backbook_store_reader_slots_used',
    'Largest number of reader slots in use at the same time.',
    (reading) => fileOf(reading)?.readers,
  ),
  gauge('backbook_store_reader_slots', 'Reader slots of the store.', (reading) => fileOf(reading)?.readersMax),
  gauge('backbook_store_markets', 'Stored markets.', ({ store }) => store?.markets),
  gauge('backbook_store_market_days', 'Stored market days.', ({ store }) => store?.partitions),
  gauge('backbook_store_blocks', 'Stored blocks.', (reading) => fileOf(reading)?.blocks),
  ...clusterMetrics,
  gauge('backbook_disk_size_bytes', 'Size of the disk of the data folder.', ({ disk }) => disk?.bytes),
  gauge('backbook_disk_free_bytes', 'Bytes that this process may still write there.', ({ disk }) => disk?.freeBytes),
  gauge('backbook_last_record_timestamp_seconds', 'Event time of the newest stored record of a venue.', (reading) =>
    ofLastRecords(reading, ({ timestampMs }) => timestampMs / 1000),
  ),
  gauge(
    'backbook_last_record_age_seconds',
    'Time since the event time of the newest stored record of a venue.',
    (reading) => ofLastRecords(reading, ({ ageSeconds }) => ageSeconds),
  ),
  gauge('backbook_accounts_up', '1 if the accounts database answers, else 0.', ({ accounts }) =>
    accounts.isUp ? 1 : 0,
  ),
  gauge(
    'backbook_accounts_answer_seconds',
    'How long the accounts database took to answer.',
    ({ accounts: { answerMs } }) => (answerMs === null ? null : answerMs / 1000),
  ),
  gauge(
    'backbook_usage_unwritten_requests',
    'Requests that are counted in memory and not yet in the database.',
    (reading) => {
      return reading.accounts.unwritten.requests
    },
  ),
  gauge('backbook_usage_unwritten_seconds', 'Longest time that an unwritten request may have waited.', (reading) => {
    return reading.accounts.unwritten.seconds
  }),
]

type LastRecord = NonNullable<ServiceReading['lastRecords'][Venue]>

function ofLastRecords({ lastRecords }: ServiceReading, read: (last: LastRecord) => number) {
  return VENUES.flatMap((venue) => {
    const last = lastRecords[venue]
    return last === null ? [] : [{ labels: { venue }, value: read(last) }]
  })
}
