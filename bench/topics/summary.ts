// Measures summaries over HTTP as clients request them. "New" is a day that was not requested before, on a server that
// has answered other days. "Repeated" is the same request again. "Cold" is the first request to a fresh server, with
// the store on disk.

import { type BusyDay, type BusyDays, busyDays } from '../datasets/busy-days.ts'
import { checksum } from '../measure/checksum.ts'
import { type Asked, askBytes, drain, firstByteMs } from '../measure/http-client.ts'
import { median } from '../measure/median.ts'
import { dropFromMemory } from '../measure/page-cache.ts'
import { elapsedMs } from '../measure/timing.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Topic } from '../topic.ts'

const RESOLUTIONS = [1, 60, 3_600]
const REPETITIONS = 30
const WARM_UP_DAYS = 3
const WINDOW_MS = 300_000
const DAY_MS = 86_400_000
const AT_ONCE = { atMost: 1 }

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const days = await busyDays(size)
    for (const resolution of size === 'smoke' ? [60] : RESOLUTIONS) await coldDate(findings, days, resolution)
    const server = await startBackbook(days.data)
    for (const day of days.usual.slice(0, size === 'smoke' ? 1 : WARM_UP_DAYS)) {
      for (const resolution of RESOLUTIONS) await drain(server, datePath(day, resolution))
    }
    const newDays = days.usual.slice(size === 'smoke' ? 1 : WARM_UP_DAYS)
    for (const [i, resolution] of RESOLUTIONS.entries()) {
      const own = newDays.filter((_, j) => j % RESOLUTIONS.length === i)
      await warmDates(findings, server, own, resolution, size === 'smoke' ? 2 : REPETITIONS)
    }
    await lateWindow(findings, server, days.busiest)
    await server.stop()
  },
}

async function coldDate(findings: Findings, { data, usual }: BusyDays, resolution: number): Promise<void> {
  if (!dropFromMemory(data)) return findings.note('the store could not be made cold: dd is not here')
  const server = await startBackbook(data)
  const ms = await elapsedMs(() => drain(server, datePath(usual[0]!, resolution)))
  findings.figure(`date at ${resolution} s, cold`, ms, 'ms')
  await server.stop()
}

async function warmDates(
  findings: Findings,
  server: Asked,
  days: BusyDay[],
  resolution: number,
  repetitions: number,
): Promise<void> {
  const times: number[] = []
  for (const day of days) times.push(await elapsedMs(() => drain(server, datePath(day, resolution))))
  findings.figure(`date at ${resolution} s, new`, median(times), 'ms')
  const path = datePath(days[0]!, resolution)
  const repeated: number[] = []
  for (let i = 0; i < repetitions; i++) repeated.push(await elapsedMs(() => drain(server, path)))
  const begun: number[] = []
  for (let i = 0; i < repetitions; i++) begun.push(await firstByteMs(server, path))
  // Copying 40 MB of buckets at 1 s takes longer than a millisecond, so at 1 s the target is for the first byte.
  const isLong = resolution === 1
  findings.figure(
    `date at ${resolution} s, repeated, its first byte`,
    median(begun),
    'ms',
    isLong ? AT_ONCE : undefined,
  )
  findings.figure(`date at ${resolution} s, repeated`, median(repeated), 'ms', isLong ? undefined : AT_ONCE)
  findings.answer(`date at ${resolution} s`, checksum(await askBytes(server, path)))
}

/** Measures windows at the end of the day first and the whole day after them, so that the server has answered none of
 *  these requests before. */
async function lateWindow(findings: Findings, server: Asked, day: BusyDay): Promise<void> {
  const times: number[] = []
  for (let back = 5; back > 0; back--) {
    const path = windowPath(day, day.fromMs + DAY_MS - back * WINDOW_MS)
    times.push(await elapsedMs(() => drain(server, path)))
  }
  findings.answer('window', checksum(await askBytes(server, windowPath(day, day.fromMs + DAY_MS - WINDOW_MS))))
  const windowMs = median(times)
  const wholeMs = await elapsedMs(() => drain(server, datePath(day, 1)))
  findings.figure('busiest date at 1 s, new', wholeMs, 'ms')
  findings.figure('its last 5 minutes at 1 s, new', windowMs, 'ms')
  findings.figure('its last 5 minutes / the whole of it', windowMs / wholeMs, 'ratio', { atMost: 1 / 20 })
}

const path = ({ market }: BusyDay) => `/api/v1/kalshi/market/orderbook-summary?ticker=${market}`
const datePath = (day: BusyDay, resolution: number) => `${path(day)}&date=${day.date}&resolution=${resolution}`
const windowPath = (day: BusyDay, fromMs: number) =>
  `${path(day)}&start_timestamp=${fromMs}&end_timestamp=${fromMs + WINDOW_MS - 1}&resolution=1`
