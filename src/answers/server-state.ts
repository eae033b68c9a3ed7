// Answers of the endpoints about the server itself.

import { Type } from '@sinclair/typebox'
import { amount, choice, count, named, orNull, text } from '../openapi/field.ts'
import { RECORDER_STATES } from '../record/status/recorder-status.ts'

const version = text('The version of backbook', '0.1.0')
const uptime = count('Time since the server started, s', 3600)

export const healthAnswer = named('Health', 'The server can answer', {
  status: choice(['ok'], 'Always ok: a server that cannot answer returns 503'),
  version,
  uptime_seconds: uptime,
  recorder: Type.Optional(
    choice(
      [...RECORDER_STATES, 'gone'],
      'State of the recorder; gone: it ended without saying so; absent: none ever ran',
    ),
  ),
})
export const healthExample = { status: 'ok', version: '0.1.0', uptime_seconds: 3_600 }

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
export const statusExample = {
  status: 'ok',
  version: '0.1.0',
  uptime_seconds: 3_600,
  components: [
    { name: 'storage', status: 'ok', figures: {} },
    { name: 'workers', status: 'ok', figures: { threads: 2, running: 0, queued: 0, completed: 6 } },
  ],
}

export const metricsAnswer = Type.String({ description: 'One line for each sample, after lines that describe it' })
export const metricsExample = `# HELP backbook_http_requests_in_flight Requests whose answers are being made or sent
# TYPE backbook_http_requests_in_flight gauge
backbook_http_requests_in_flight 2
`
