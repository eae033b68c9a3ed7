// Answers of the endpoints about the server itself.

import { Type } from '@sinclair/typebox'
import { VENUES } from '../../storage/venue.ts'
import { CONDITIONS } from '../day-condition.ts'
import { amount, choice, count, day, named, orNull, text } from '../openapi/field.ts'
import { RECORDER_STATES } from '../record/status/recorder-status.ts'
import { VERSION } from '../version.ts'

const version = text('The version of backbook', VERSION)
const uptime = count('Time since the server started, s', 3600)

export const healthAnswer = named('Health', 'The server can answer', {
  status: choice(['ok'], 'Always ok: a server that cannot answer returns 503'),
  version,
  uptime_seconds: uptime,
  recorder: Type.Optional(
    choice([...RECORDER_STATES, 'gone'], 'State of the recorder; gone: it ended unexpectedly; absent: it never ran'),
  ),
})

export const readyAnswer = named('Ready', 'A balancer should send requests here', {
  status: choice(['ready'], 'Always ready: a server that is not returns 503'),
})

const STATES = ['ok', 'degraded', 'down', 'idle'] as const
const figures = Type.Unsafe<Record<string, number | null>>(
  Type.Object(
    {},
    {
      additionalProperties: orNull(amount('A number; its unit is in its name', 2)),
      description: 'Its numbers. If the server has a monitoring token, only its holder sees them',
    },
  ),
)

const component = named('Component', 'A component of the service', {
  name: text('Its name', 'workers'),
  status: choice(STATES, 'Its state; idle: nothing is stored yet'),
  figures: Type.Optional(figures),
})

export const statusAnswer = named('MonitoringStatus', 'The state of the service and its components', {
  status: choice(STATES, 'The state of the whole service'),
  version,
  uptime_seconds: uptime,
  components: Type.Array(component, { description: 'The components' }),
})

const pastDay = named('PastDay', 'How a date was recorded', {
  date: day('The date'),
  condition: choice(CONDITIONS, 'degraded: a gap, or a known incident; missing: nothing is stored'),
  gaps: count('Number of gap records and inferred gaps, of all markets', 0),
  gap_ms: count('Total length of the gaps, ms; a gap without a known end adds nothing, overlaps count twice', 0),
  incidents: Type.Array(Type.String(), { description: 'Names of the known incidents that touch the date' }),
})

const pastVenue = named('PastVenue', 'How a venue was recorded', {
  venue: choice(VENUES, 'The venue'),
  first_date: orNull(day('The first stored date; null without one')),
  last_date: orNull(day('The last stored date; null without one')),
  days: Type.Array(pastDay, { description: 'Every date from the first stored or shown one, ascending' }),
})

export const historyAnswer = named('MonitoringHistory', 'How each date was recorded, and the requests so far', {
  from: day('The first date that is shown'),
  to: day('The last date that is shown: today'),
  requests: count('Requests that this process answered since its start', 120_000),
  failed_requests: count('Requests that failed: status 500 or above', 0),
  venues: Type.Array(pastVenue, { description: 'The venues' }),
})

export const metricsAnswer = Type.String({ description: 'One line for each sample, after lines that describe it' })
