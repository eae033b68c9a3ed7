// Writes the times of Kalshi's messages in the form of its WebSocket. `ts` is RFC 3339 in a delta and seconds in a
// trade. `ts_ms` is in both.

import type { JsonObject } from '../described-message.ts'
import { textOf } from '../exact-json.ts'
import { venueTimeUs } from '../venue-time.ts'

/** Keys of the time. The flat form, the REST API and files of a day's trades each use a key of their own. */
const TIME_KEYS = ['timestamp', 'created_time', 'create_ts', 'ts_ms', 'ts']
const encoder = new TextEncoder()

/** Returns the time fields; none if the message has no time. */
export function kalshiTimes(kind: 'delta' | 'trade', msg: JsonObject): JsonObject {
  const found = typeof msg['ts'] === 'string' ? 'ts' : TIME_KEYS.find((key) => textOf(msg[key]) !== undefined)
  const text = textOf(msg[found ?? ''])
  if (text === undefined) return {}
  const bytes = encoder.encode(text)
  const us = venueTimeUs(bytes, 0, bytes.length)
  if (Number.isNaN(us)) return {}
  return { ts: kind === 'trade' ? Math.floor(us / 1e6) : rfc3339(us), ts_ms: Math.floor(us / 1e3) }
}

/** Prints RFC 3339 without trailing zeros in the fraction. */
function rfc3339(us: number): string {
  const second = new Date(Math.floor(us / 1e6) * 1e3).toISOString().slice(0, 19)
  const fraction = String(us % 1e6)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${second}${fraction === '' ? '' : `.${fraction}`}Z`
}
