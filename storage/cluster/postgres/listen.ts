// Reports the changes of commits. PostgreSQL notifies every listener a moment after a commit. A connection that dies
// silently reports nothing, so each listener sends a beat on a channel of its own, which shows that the connection
// still works.

import { randomUUID } from 'node:crypto'
import type { TransactionSQL } from 'bun'
import { isEntryKey, namesOf } from '../../rows/keys.ts'
import type { RowKey } from '../../rows/rows.ts'
import type { Venue } from '../../venue.ts'
import type { Listener, NamedMarket } from '../cluster-rows.ts'
import type { Postgres } from './connection.ts'

/** The largest payload, bytes; PostgreSQL accepts less than 8,000. */
const PAYLOAD_BYTES_MAX = 7_900
const BEAT_MS = 500
/** The longest time without a beat. */
const SILENCE_MS_MAX = 1_500

/** Prefix of the channel for all users of a catalogue; the schema's name follows. */
const SHARED = 'rows_'

export async function listen(postgres: Postgres, listener: Listener): Promise<() => Promise<void>> {
  const own = `beat_${randomUUID()}`
  let isNotified = false
  let lastBeatMs = performance.now()
  const onBeat = () => {
    lastBeatMs = performance.now()
  }
  const onListen = () => {
    onBeat()
    isNotified = true
    listener.watching()
  }
  const stop = await postgres.listen([
    { channel: own, onPayload: onBeat },
    { channel: `${SHARED}${postgres.schema}`, onPayload: (payload) => listener.changed(namesIn(payload)), onListen },
  ])
  const beat = setInterval(() => {
    const isSilent = performance.now() - lastBeatMs > SILENCE_MS_MAX
    if (isSilent && isNotified) listener.lost()
    if (!isSilent && !isNotified) listener.watching()
    isNotified = !isSilent
    postgres.ask((sql) => sql`SELECT pg_notify(${own}, '')`).catch(() => undefined)
  }, BEAT_MS)
  beat.unref()
  return async () => {
    clearInterval(beat)
    await stop()
  }
}

/** Notifies listeners of the markets whose entries change, within the transaction that changes them. */
export async function notifyChanges(sql: TransactionSQL, changed: readonly { key: RowKey }[]): Promise<void> {
  const payloads: string[] = []
  for (const { key } of changed) {
    if (!isEntryKey(key)) continue
    // Encodes the names, because PostgreSQL may not accept every character of a name.
    const name = namesOf(key).map(encodeURIComponent).join('/')
    const last = payloads.at(-1)
    const isRoom = last !== undefined && last.length + 1 + name.length <= PAYLOAD_BYTES_MAX
    payloads.push(isRoom ? `${payloads.pop()} ${name}` : name)
  }
  if (payloads.length === 0) return
  await sql`
    SELECT pg_notify(${SHARED} || current_schema(), payload)
    FROM unnest(${sql.array(payloads, 'TEXT')}) AS payloads(payload)`
}

const namesIn = (payload: string): NamedMarket[] =>
  payload.split(' ').map((name) => {
    const [venue, market] = name.split('/').map(decodeURIComponent)
    return { venue: venue as Venue, market: market! }
  })
