// Runs `backbook record` as a process whose calendar clock jumps during the recording. Nothing is lost, and the
// recorder writes down the jumps.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBackbook } from '../../../support/programs/program.ts'
import {
  emptyFolder,
  endRecorders,
  recordProcessWith,
  recordToml,
  seenOf,
  storedRecords,
} from '../../../support/record/record-process.ts'
import { segmentLines } from '../../../support/record/recorder-run.ts'
import { KalshiServer } from '../../../support/venues/kalshi-server.ts'

const TICKER = 'KXTEST-1'
const MINUTE_MS = 60_000
const venue = new KalshiServer()

beforeAll(async () => {
  await venue.start()
  venue.setBook(TICKER, { yes: [[4_000, 500]], no: [[5_000, 700]] })
})
afterAll(async () => {
  await endRecorders()
  await venue.stop()
})

/** A script that runs before the program. It sets the program's clock ahead by the number of ms in a file. */
const CLOCK = `
  const { readFileSync } = require('node:fs')
  const now = Date.now
  let aheadMs = 0
  Date.now = () => now() + aheadMs
  setInterval(() => { aheadMs = Number(readFileSync(__dirname + '/ahead-ms', 'utf8')) }, 10).unref()
`

test('while the clock jumps, to other hours and back, everything is recorded once and no connection ends', async () => {
  const folder = emptyFolder()
  const data = emptyFolder()
  const text = `commit_seconds = 0.2\n[kalshi]\nws_url = "${venue.wsUrl}"\nrest_url = ""\n`
  const config = recordToml(folder, `${text}tickers = ["${TICKER}"]\n`)
  const clock = join(folder, 'clock.cjs')
  writeFileSync(clock, CLOCK)
  const set = (aheadMs: number) => writeFileSync(join(folder, 'ahead-ms'), String(aheadMs))
  set(0)
  const recorder = recordProcessWith(['--preload', clock], data, config)
  await seenOf(data, ({ status: { venues } }) => venues.kalshi?.books_lost === 0 && venues.kalshi.connections === 1)
  const jumps = [90 * MINUTE_MS, -90 * MINUTE_MS, -36 * 60 * MINUTE_MS, 36 * 60 * MINUTE_MS]
  let aheadMs = 0
  let deltas = 0
  for (const [i, jumpMs] of [0, ...jumps].entries()) {
    aheadMs += jumpMs
    set(aheadMs)
    await seenOf(data, ({ status }) => status.clock_jumps === i)
    for (let n = 0; n < 10; n++) venue.delta(TICKER, 'yes', 4_000 + 100 * (deltas++ % 10), 100)
    await seenOf(data, ({ status: { venues } }) => venues.kalshi!.frames > deltas)
  }
  const { status } = await seenOf(data, ({ status: { loading } }) => loading.records_added === 1 + deltas)
  expect(status.venues.kalshi).toMatchObject({ connections: 1, reconnects: {}, gaps: {} })
  expect((await recorder.stop()).exitCode).toBe(0)
  // If the clock is wrong by more than an hour, records get times of that clock. So the order is not always that of
  // arrival.
  const types = (await storedRecords(data, 'kalshi', TICKER)).map(({ type }) => type).sort()
  expect(types).toEqual([...Array.from({ length: deltas }, () => 'delta'), 'snapshot'])
  const jumpLines = (await segmentLines(data)).filter((line) => line['state'] === 'clock_jump')
  expect(jumpLines.map((line) => Math.round((line['ms'] as number) / MINUTE_MS)).sort()).toEqual(
    jumps.map((ms) => ms / MINUTE_MS).sort(),
  )
  expect((await runBackbook(['verify', '--data', data])).exitCode).toBe(0)
}, 60_000)
