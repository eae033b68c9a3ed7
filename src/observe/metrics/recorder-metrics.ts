// Metrics of the recorder, from its last status. The counters restart at zero with the recorder.

import type { Venue } from '../../../storage/venue.ts'
import type { VenueStatus } from '../../record/status/recorder-status.ts'
import type { ServiceReading } from '../stats/service-reading.ts'
import { counter, gauge, type Labels, type Metric, type Sample } from './sample.ts'

const OF_THE_PROCESS: readonly Metric[] = [
  gauge('backbook_recorder_up', '1 while a recorder runs on the data folder, 0 after it ended.', ({ recorder }) =>
    recorder === null ? null : isRunning(recorder) ? 1 : 0,
  ),
  gauge('backbook_recorder_gone', '1 after a recorder ended unexpectedly.', ({ recorder }) =>
    recorder === null ? null : recorder.state === 'gone' ? 1 : 0,
  ),
  gauge('backbook_recorder_status_age_seconds', 'Time since the recorder last wrote its status.', ({ recorder }) =>
    recorder === null ? null : recorder.ageMs / 1_000,
  ),
  gauge('backbook_recorder_disk_full', '1 while the recorder takes no new markets for lack of disk space.', (reading) =>
    running(reading, ({ disk }) => (disk.is_full ? 1 : 0)),
  ),
  gauge('backbook_recorder_problems', 'Problems that the recorder reports.', (reading) =>
    running(reading, ({ problems }) => problems.length),
  ),
  gauge('backbook_recorder_queued_bytes', 'Bytes that are received and not committed.', (reading) =>
    running(reading, ({ loading }) => loading.queued_bytes),
  ),
  gauge('backbook_recorder_segments_waiting', 'Whole segments that wait to be loaded.', (reading) =>
    running(reading, ({ segments }) => segments.waiting),
  ),
  gauge(
    'backbook_recorder_lag_seconds',
    'Time from the arrival of the oldest frame in the last commit to its end.',
    (each) => running(each, ({ loading }) => (loading.lag_ms === null ? null : loading.lag_ms / 1_000)),
  ),
  gauge('backbook_recorder_lag_seconds_max', 'Largest lag of the last 60 commits.', (reading) =>
    running(reading, ({ loading }) => (loading.lag_ms_max === null ? null : loading.lag_ms_max / 1_000)),
  ),
  counter('backbook_recorder_records_added_total', 'Records that were committed.', (reading) =>
    running(reading, ({ loading }) => loading.records_added),
  ),
  counter(
    'backbook_recorder_frames_dropped_total',
    'Frames that were dropped because the disk refused them.',
    (reading) => running(reading, ({ segments }) => segments.frames_dropped),
  ),
  counter('backbook_recorder_segment_bytes_total', 'Compressed bytes that were written to segments.', (reading) =>
    running(reading, ({ segments }) => segments.bytes_written),
  ),
]

const OF_A_VENUE: readonly Metric[] = [
  ...ofVenues(gauge, '', {
    connections: 'Open connections to a venue.',
    connections_wanted: 'Connections that should be open.',
    markets: 'Markets that are recorded.',
    markets_left_out: 'Wanted markets beyond a limit.',
    books_lost: 'Books that are unknown until their next snapshot.',
  }),
  ...ofVenues(counter, '_total', {
    frames: 'Frames that were received.',
    bytes: 'Bytes of frames that were received.',
  }),
  gauge('backbook_recorder_silence_seconds', 'Time since the last frame of a venue.', each(secondsOf('silence_ms'))),
  gauge('backbook_recorder_data_silence_seconds', 'Time since the last data.', each(secondsOf('data_silence_ms'))),
  gauge(
    'backbook_recorder_message_age_seconds_max',
    "Largest time from a message's venue time to its arrival in the last 60 s.",
    each(secondsOf('message_age_ms_max')),
  ),
  ...ofVenues(counter, '_total', { connect_failures: 'Connections that could not be opened.' }),
  kinds('reconnects', 'reason', 'Connections that were reopened.'),
  kinds('gaps', 'reason', 'Recorded gaps, one for each book.'),
  kinds('unknown', 'kind', 'Frames of unknown kinds.'),
  kinds('audits', 'result', 'Books compared with those of REST.'),
  kinds('contradictions', 'reason', 'Books that contradicted themselves.'),
  discovery('requests', 'Requests of discovery.'),
  discovery('limited', 'Responses with status 429.'),
  discovery('failed', 'Requests that failed after all attempts.'),
]

type Seen = NonNullable<ServiceReading['recorder']>

const isRunning = ({ state }: Seen) => state !== 'gone' && state !== 'stopped'

function running<Value>({ recorder }: ServiceReading, read: (status: Seen['status']) => Value): Value | null {
  return recorder !== null && isRunning(recorder) ? read(recorder.status) : null
}

const venuesOf = (reading: ServiceReading): [Venue, VenueStatus][] =>
  Object.entries(running(reading, ({ venues }) => venues) ?? {}) as [Venue, VenueStatus][]

function each(read: (venue: VenueStatus) => number | null) {
  return (reading: ServiceReading): Sample[] =>
    venuesOf(reading).flatMap(([venue, status]) => {
      const value = read(status)
      return value === null ? [] : [{ labels: { venue }, value }]
    })
}

type Figure = { [Key in keyof VenueStatus]: VenueStatus[Key] extends number ? Key : never }[keyof VenueStatus]

/** Returns a metric for each key of `help`. Its samples are this number in the status of each venue. */
function ofVenues(kind: typeof gauge, ending: string, help: Partial<Record<Figure, string>>): Metric[] {
  return Object.entries(help).map(([key, about]) =>
    kind(
      `backbook_recorder_${key}${ending}`,
      about,
      each((venue) => venue[key as Figure]),
    ),
  )
}

/** Returns a counter with a sample for each venue and kind. */
function kinds(key: 'reconnects' | 'gaps' | 'unknown' | 'audits' | 'contradictions', label: string, help: string) {
  return counter(`backbook_recorder_${key}_total`, help, (reading) =>
    venuesOf(reading).flatMap(([venue, status]) =>
      Object.entries(status[key]).map(([kind, value]) => {
        const labels: Labels = { venue, [label]: kind }
        return { labels, value }
      }),
    ),
  )
}

function discovery(key: keyof VenueStatus['discovery'], help: string): Metric {
  return counter(
    `backbook_recorder_rest_${key}_total`,
    help,
    each((venue) => venue.discovery[key]),
  )
}

function secondsOf(key: 'silence_ms' | 'data_silence_ms' | 'message_age_ms_max') {
  return (venue: VenueStatus): number | null => {
    const ms = venue[key]
    return ms === null ? null : ms / 1_000
  }
}

export const recorderMetrics = (): Metric[] => [...OF_THE_PROCESS, ...OF_A_VENUE]
