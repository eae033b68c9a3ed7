// Formats instants as text in a zone: `UTC`, `local` (the browser's), or an IANA name.

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the zone's name for the formatter; undefined for the browser's own zone. */
const zoneName = (zone: string) => (zone === 'local' ? undefined : zone)

export function isZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const two = '2-digit'
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ year: 'numeric', month: two, day: two, hour: two, minute: two, second: two, fractionalSecondDigits: 3 },
    hourCycle: 'h23',
    timeZone: zoneName(zone),
  })
  formats.set(zone, format)
  return format
}

/** Returns the parts of an instant: `year` to `second`, and `fractionalSecond`. */
function partsOf(ms: number, zone: string): Record<string, string> {
  if (zone === 'UTC') return utcParts(new Date(ms).toISOString())
  return Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
}

/** Avoids the formatter, which is slow: charts call this for each mark of each frame. */
function utcParts(iso: string): Record<string, string> {
  const [year, month, day, hour, minute, second, fractionalSecond] = iso.split(/[-T:.Z]/)
  return { year, month, day, hour, minute, second, fractionalSecond } as Record<string, string>
}

/** Formats a date: `2026-07-20`. */
export function dateText(ms: number, zone: string): string {
  const { year, month, day } = partsOf(ms, zone)
  return `${year}-${month}-${day}`
}

/** Formats a time: `14:13:45.120`. Omits the parts below `stepMs`. */
export function clockText(ms: number, zone: string, stepMs = 1): string {
  const { hour, minute, second, fractionalSecond } = partsOf(ms, zone)
  if (stepMs >= 60_000) return `${hour}:${minute}`
  return stepMs >= 1_000 ? `${hour}:${minute}:${second}` : `${hour}:${minute}:${second}.${fractionalSecond}`
}

/** Formats an instant: `2026-07-20 14:13:45.120`. */
export const instantText = (ms: number, zone: string): string => `${dateText(ms, zone)} ${clockText(ms, zone)}`

/** Formats a duration: `850 ms`, `3.2 s`, `4 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  const [minutes, hours, days] = [Math.floor(ms / 60_000), Math.floor(ms / 3_600_000), Math.floor(ms / 86_400_000)]
  if (hours === 0) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  if (days === 0) return `${hours} h ${minutes % 60} min`
  return `${days} d ${hours % 24} h`
}

/** Returns how far the zone's clock is ahead of UTC at an instant, ms. */
export function zoneOffsetMs(ms: number, zone: string): number {
  const wall = Date.parse(`${dateText(ms, zone)}T${clockText(ms, zone)}Z`)
  return wall - ms
}

/** Returns `UTC`, or the zone's IANA name with its offset from UTC: `Europe/Oslo, UTC+2`. */
export function zoneText(zone: string, ms: number): string {
  if (zone === 'UTC') return zone
  const name = zone === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone
  const minutes = Math.round(zoneOffsetMs(ms, zone) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${name}, UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** Formats the length of a bucket: `100 ms`, `15 s`, `5 min`, `1 h`. */
export const lengthText = (ms: number): string =>
  durationText(ms)
    .replace('.0 s', ' s')
    .replace(/ 0 (?:s|min|h)$/, '')
