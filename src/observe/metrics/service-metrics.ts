// Metrics of the store, the disk, the accounts and the newest records, and the state of each component.

import { VENUES } from '../../../storage/venue.ts'
import { componentsOf } from '../stats/components.ts'
import type { ServiceReading, ServiceSources } from '../stats/service-reading.ts'
import { gauge, type Metric } from './sample.ts'

const STATES = ['ok', 'degraded', 'down', 'idle'] as const

export const serviceMetrics = ({ tasks }: ServiceSources): Metric[] => [
  gauge('backbook_component_status', 'One for the status that a component has, zero for the others.', (reading) =>
    componentsOf(reading, tasks).flatMap(({ name, status }) =>
      STATES.map((each) => ({ labels: { component: name, status: each }, value: each === status ? 1 : 0 })),
    ),
  ),
  gauge('backbook_store_file_bytes', 'Size of the store on the disk.', ({ store }) => store?.fileBytes),
  gauge('backbook_store_used_bytes', 'What data and index use of it.', ({ store }) => store?.usedBytes),
  gauge('backbook_store_free_bytes', 'Pages of it that are free and used again.', ({ store }) => store?.freeBytes),
  gauge('backbook_store_map_bytes', 'Address space that the store is mapped to.', ({ store }) => store?.mapBytes),
  gauge('backbook_store_reader_slots_used', 'Slots of readers taken so far.', ({ store }) => store?.readers),
  gauge('backbook_store_reader_slots', 'Slots of readers there are.', ({ store }) => store?.readersMax),
  gauge('backbook_store_markets', 'Markets of which something is stored.', ({ store }) => store?.markets),
  gauge('backbook_store_market_days', 'Days of markets that are stored.', ({ store }) => store?.partitions),
  gauge('backbook_store_blocks', 'Blocks of records that are stored.', ({ store }) => store?.blocks),
  gauge('backbook_disk_size_bytes', 'Size of the disk of the data folder.', ({ disk }) => disk?.bytes),
  gauge('backbook_disk_free_bytes', 'What may still be written there.', ({ disk }) => disk?.freeBytes),
  gauge('backbook_last_record_timestamp_seconds', 'Event time of the newest stored record of a venue.', (reading) =>
    ofLastRecords(reading, ({ timestampMs }) => timestampMs / 1000),
  ),
  gauge('backbook_last_record_age_seconds', 'Time since then.', (reading) =>
    ofLastRecords(reading, ({ ageSeconds }) => ageSeconds),
  ),
  gauge('backbook_accounts_up', 'Whether the accounts database answers.', ({ accounts }) => (accounts.isUp ? 1 : 0)),
  gauge('backbook_accounts_answer_seconds', 'How long it took to answer.', ({ accounts: { answerMs } }) =>
    answerMs === null ? null : answerMs / 1000,
  ),
  gauge('backbook_usage_unwritten_requests', 'Requests counted in memory and not yet in the database.', (reading) => {
    return reading.accounts.unwritten.requests
  }),
  gauge('backbook_usage_unwritten_seconds', 'How long the oldest of them can have waited.', (reading) => {
    return reading.accounts.unwritten.seconds
  }),
]

type LastRecord = NonNullable<ServiceReading['lastRecords']['kalshi']>

function ofLastRecords({ lastRecords }: ServiceReading, read: (last: LastRecord) => number) {
  return VENUES.flatMap((venue) => {
    const last = lastRecords[venue]
    return last === null ? [] : [{ labels: { venue }, value: read(last) }]
  })
}
