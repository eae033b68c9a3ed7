// An instant as a person types it: a time of the day that is shown, or with its date, in the zone that is shown.

import { dateText, zoneOffsetMs } from '../../state/time-text.ts'

const TYPED = /^(?:(\d{4}-\d\d-\d\d)[T ])?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,3}))?)?(Z)?$/
const UNIX_MS = /^\d{13}$/

/** Unix ms too. `nearMs` tells the date where none is given. Null of what is no instant. */
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
  // The 30th of February would be the 2nd of March.
  if (Number.isNaN(wallMs) || dateText(wallMs, 'UTC') !== day) return null
  // Applies the offset at `first`: near a clock change of the zone it differs from the offset at `wallMs`.
  const first = wallMs - zoneOffsetMs(wallMs, asIn)
  return wallMs - zoneOffsetMs(first, asIn)
}
