// What the endpoints about the server itself answer.

import { Type } from '@sinclair/typebox'
import { amount, choice, count, named, orNull, text } from '../openapi/field.ts'

const version = text('The version of backbook', '0.1.0')
const uptime = count('Since the server started, s', 3600)

export const healthAnswer = named('Health', 'That the server can answer', {
  status: choice(['ok'], 'Always ok: a server that cannot answer says so with 503'),
  version,
  uptime_seconds: uptime,
})
export const healthExample = { status: 'ok', version: '0.1.0', uptime_seconds: 3_600 }

const STATES = ['ok', 'degraded', 'down', 'idle'] as const
const figures = Type.Unsafe<Record<string, number | null>>(
  Type.Object(
    {},
    {
      additionalProperties: orNull(amount('A figure: its unit is in its name', 2)),
      description: 'Its figures; absent for others than holders of the monitoring token, where the server has one',
    },
  ),
)

const component = named('Component', 'One part of the service', {
  name: text('Which', 'workers'),
  status: choice(STATES, 'How it is; idle: nothing stored yet'),
  figures: Type.Optional(figures),
})

export const statusAnswer = named('MonitoringStatus', 'The state of each part of the service', {
  status: choice(STATES, 'How all of it is'),
  version,
  uptime_seconds: uptime,
  components: Type.Array(component, { description: 'The parts' }),
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

export const metricsAnswer = Type.String({ description: 'A line for each figure, and what it is in the lines before' })
export const metricsExample = `# HELP backbook_http_requests_in_flight Requests whose answers are being made or sent
# TYPE backbook_http_requests_in_flight gauge
backbook_http_requests_in_flight 2
`
