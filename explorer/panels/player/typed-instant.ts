// Parses an instant that the reader types: a time of the visible day, or a date and a time, in the chosen zone.

import { dateText, zoneOffsetMs } from '../../state/time-text.ts'

const TYPED = /^(?:(\d{4}-\d\d-\d\d)[T ])?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,3}))?)?(Z)?$/
const UNIX_MS = /^\d{13}$/

/** Returns the instant of a typed text; null if the text is not an instant. The text may also be Unix ms. If it has no
 *  date, `nearMs` gives the date. */
export function instantTyped(text: string, nearMs: number, zone: string): number | null {
  const typed = text.trim()
  if (UNIX_MS.test(typed)) return Number(typed)
  const [, date, hour, minute, second = '0', fraction = '0', isUtc] = TYPED.exec(typed) ?? []
  if (hour === undefined) return null
  const asIn = isUtc === undefined ? zone : 'UTC'
  const two = (part: string) => part.padStart(2, '0')
  const clock = `${two(hour)}:${two(minute!)}:${two(second)}.${fraction.padEnd(3, '0')}Z`
  const day = date ?? dateText(nearMs, asIn)
  const wallMs = Date.parse(`${day}T${clock}`)
  // Date.parse reads the 30th of February as the 2nd of March.
  if (Number.isNaN(wallMs) || dateText(wallMs, 'UTC') !== day) return null
  // Take the offset at `first`, which is an estimate of the instant: near a clock change of the zone, the offset at
  // `wallMs` may be a different one.
  const first = wallMs - zoneOffsetMs(wallMs, asIn)
  return wallMs - zoneOffsetMs(first, asIn)
}
