// Measures the explorer in Chromium with a day of 2 million records: time until drawn, script time of gestures and
// steps, memory after minutes of use, and the latency of other requests while ten people pan.

import { ChartPage, hasChromium, launched } from '../../browser/chart-page.ts'
import { panForMinutes } from '../../browser/pan-for-minutes.ts'
import { askAll } from '../../clients/run-clients.ts'
import { type BusyDay, type BusyDays, busyDays } from '../../datasets/busy-days.ts'
import { checksum } from '../../measure/checksum.ts'
import { askBytes } from '../../measure/http-client.ts'
import { median } from '../../measure/median.ts'
import { askSteadily, percentile } from '../../measure/steady-requests.ts'
import { type BackbookServer, startBackbook } from '../../servers/backbook-server.ts'
import type { Findings, Size, Topic } from '../../topic.ts'

const DAY_MS = 86_400_000
const VISITS = { smoke: 1, full: 5 }
const STEPS = { smoke: 5, full: 150 }
/** Default time of panning, zooming and stepping, in minutes. */
const MINUTES = { smoke: 0.02, full: 1 }
const SECONDS = { smoke: 0.3, full: 8 }
const PER_SECOND = 100
const PEOPLE = 10
/** Time between two requests of a person, ms. A person who pans one screen per second requests three windows in that
 *  second. */
const EVERY_MS = 330

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size, minutes = MINUTES[size] }, findings) {
    const days = await busyDays(size)
    const server = await startBackbook(days.data)
    try {
      if (hasChromium) await inBrowser(findings, { server, days, size, minutes })
      else findings.note('no Chromium here: what people see of the explorer is left out')
      await besidePeople(findings, { server, days, size })
    } finally {
      await server.stop()
    }
  },
}

type Running = { server: BackbookServer; days: BusyDays; size: Size }

async function inBrowser(findings: Findings, running: Running & { minutes: number }): Promise<void> {
  const { server, days, size, minutes } = running
  await using browser = await launched()
  const address = ({ market, fromMs }: BusyDay, more = '') =>
    `${server.url}/explore/kalshi/${market}?at=${new Date(fromMs + DAY_MS / 2).toISOString()}${more}#key=${server.key}`

  // First paint, after the server has built the page once.
  const paints: number[] = []
  for (let i = 0; i <= VISITS[size]; i++) {
    const page = await ChartPage.open(browser, address(days.usual[0]!))
    paints.push((await page.times()).paintMs)
    await page.close()
  }
  findings.figure('first paint, nothing kept', median(paints.slice(1)), 'ms', { atMost: 300 })

  const page = await ChartPage.open(browser, address(days.busiest))
  findings.figure('busiest day drawn, first time', (await page.times()).drawnMs, 'ms', { atMost: 1_500 })
  const again: number[] = []
  for (let i = 0; i < VISITS[size]; i++) {
    await page.settled()
    await page.reload()
    again.push((await page.times()).drawnMs)
  }
  findings.figure('busiest day drawn, again', median(again), 'ms', { atMost: 300 })
  await page.settled()

  const script = (name: string, times: readonly number[], atMost: number) => {
    findings.figure(`${name}, script a frame`, median(times), 'ms', { atMost })
    findings.figure(`${name}, script a frame, p95`, percentile(times, 0.95), 'ms')
  }
  await page.zoom(20)
  await page.settled()
  script('panning', await page.pan(STEPS[size]), 8)
  script('zooming', await page.zoom(STEPS[size]), 8)
  await page.settled()
  await page.press('.')
  await page.settled()
  script('a step of the replay', await page.scriptOf(STEPS[size], () => page.press('.')), 16)

  await page.close()
  const held = await panForMinutes(address(days.busiest), minutes)
  const last = held.at(-1)
  if (last === undefined) return
  findings.figure(`memory of the page after ${minutes} min`, last.mb, 'MB', { atMost: 300 })
  findings.figure('the most that it held', Math.max(...held.map(({ mb }) => mb)), 'MB', { atMost: 300 })
  findings.note(
    `it held ${held.map((each) => `${each.mb.toFixed(0)} MB at ${each.minutes.toFixed(1)} min`).join(', ')}`,
  )
}

/** Measures `date-range` alone, and while ten clients pan over days at one second per column. No window is requested
 *  twice, so each is a new query to the server. */
async function besidePeople(findings: Findings, { server, days, size }: Running): Promise<void> {
  const path = (number: number) => {
    const { market } = days.usual[number % days.usual.length]!
    return `/api/v1/kalshi/market/date-range?ticker=${market}`
  }
  const plan = { asked: server, path, perSecond: PER_SECOND }
  findings.answer('date-range', checksum(await askBytes(server, path(0))))
  const ms = 1_000 * SECONDS[size]
  await askSteadily(plan, Bun.sleep(ms / 4))
  const alone = percentile(await askSteadily(plan, Bun.sleep(ms)), 0.99)
  const people = askAll({
    url: server.url,
    authorization: server.headers.authorization,
    paths: windows(days),
    clientCount: PEOPLE,
    seconds: SECONDS[size],
    everyMs: EVERY_MS,
  })
  const beside = percentile(await askSteadily(plan, people), 0.99)
  findings.figure('date-range alone, p99', alone, 'ms')
  findings.figure('date-range beside ten people who pan, p99', beside, 'ms')
  findings.figure('beside / alone', beside / alone, 'ratio', { atMost: 2 })
  findings.note(`they were answered ${(await people).answers} times in ${SECONDS[size]} s`)
}

const WINDOW_MS = 1_440_000
const COLUMNS = 'quote_count,spread,best_bid,best_ask,mid_price_open,mid_price_high,mid_price_low,mid_price_close'

/** Returns the requests that a page sends as it moves, one day after the other. */
function windows({ usual }: BusyDays): string[] {
  const count = DAY_MS / WINDOW_MS
  return Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    usual.flatMap(({ market, fromMs }) => {
      const from = fromMs + i * WINDOW_MS
      const of = `ticker=${market}&start_timestamp=${from}&end_timestamp=${from + WINDOW_MS - 1}`
      return [
        `depth-map?${of}&resolution_ms=1000&price_step=0.001&aggregate=max&format=arrow`,
        `orderbook-summary?${of}&resolution=1&columns=timestamp,${COLUMNS}&format=arrow`,
        `trade-summary?${of}&resolution=1&format=arrow`,
      ].map((question) => `/api/v1/kalshi/market/${question}`)
    }),
  )
}
