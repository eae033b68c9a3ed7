// A recorder that runs for the requested time on both venues, which misbehave all the time. Its memory must be flat,
// and no connection or descriptor may leak. At the end, every missing message is in a gap.

import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RecorderStatus } from '../../../src/record/status/recorder-status.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { checkRecording } from '../../support/trial/check-recording.ts'
import { Recording, trialConfig } from '../../support/trial/recording.ts'
import { TrialVenues } from '../../support/trial/trial-venues.ts'
import { endFaults, FAULT_NAMES, FAULTS, type FaultName } from '../../support/trial/venue-faults.ts'
import type { Round, Tally, TortureTopic } from '../topic.ts'
import { slopeOf } from './soak.ts'

const ROUND_MS = 60_000
const SMOKE_MS = 4_000
const SAMPLE_MS = 5_000
const MARKETS = { polymarket: 1_000, kalshi: 1_000 }
const SMOKE_MARKETS = { polymarket: 20, kalshi: 20 }
const PER_SECOND = Number(process.env['RECORD_SOAK_PER_SECOND'] ?? 1_000)
/** Average time between two faults, ms. */
const FAULT_MS = 3_000
/** By this time, the recorder has detected every frozen connection, ms. */
const CALM_MS = 15_000
const SLOPE_MB_MAX = 30
const OWN_MB_MAX = 600
const SAMPLES_MIN = 120
/** Relative frequency of the biggest faults, which are rare. */
const SELDOM: Partial<Record<FaultName, number>> = { 'messages of 2 MB': 0.1, 'books never sent': 0.1 }

/** A measurement. `ownMb` is the memory of the process itself. `residentMb` also includes pages of the store's file,
 *  which grow with the day and which the kernel can reclaim. */
type Sample = { ownMb: number; residentMb: number; descriptors: number; sockets: number; threads: number }

export const topic: TortureTopic = {
  title: 'a recorder for the requested time, on venues that misbehave: memory is flat, every loss is reported',
  smokeRounds: 1,
  smokeTally: ['messages sent', 'messages stored', 'faults'],

  async prepare({ tally, folder, isSmoke }) {
    const data = join(folder, 'recorded')
    mkdirSync(data)
    const venues = await new TrialVenues(new Random(1, 'record-soak'), isSmoke ? SMOKE_MARKETS : MARKETS).start()
    const size = isSmoke ? { per_connection: 10 } : { per_connection: 100 }
    const config = trialConfig(venues, {
      polymarket: { ...size, all: true, newMs: 5_000, resolvedMs: 5_000, connectStaggerMs: 20 },
      kalshi: size,
    })
    const recording = Recording.start(data, config)
    const samples: Sample[] = []
    await recording.until('recording', ({ state }) => state === 'recording')
    const first = recording.vitals()
    const sampler = setInterval(() => {
      if (recording.hasEnded) return
      samples.push(recording.vitals())
      noteSample(samples.at(-1)!, recording.status, venues)
    }, SAMPLE_MS)
    return {
      async round({ random, isSmoke }: Round) {
        venues.startTraffic(isSmoke ? 200 : PER_SECOND)
        const untilMs = Date.now() + (isSmoke ? SMOKE_MS : ROUND_MS)
        while (Date.now() < untilMs) {
          await Bun.sleep(random.below(isSmoke ? 400 : 2 * FAULT_MS))
          injectFault(venues, random, tally)
          if (recording.hasEnded) throw new Error(`the recorder has ended: ${recording.log()}`)
        }
      },
      async close() {
        try {
          endFaults(venues)
          await Bun.sleep(isSmoke ? 6_000 : CALM_MS)
          await recording.until('all connections open', ({ venues: all }) =>
            Object.values(all).every(({ connections, connections_wanted }) => connections === connections_wanted),
          )
          venues.quiet()
          await Bun.sleep(2_000)
          clearInterval(sampler)
          const last = recording.vitals()
          tallyStatus(recording.status, tally)
          await recording.stop()
          await venues.stop()
          const checked = await checkRecording(data, venues)
          tally.add('messages sent', checked.sent)
          tally.add('messages that a connection received', checked.delivered)
          tally.add('messages stored', checked.stored)
          tally.add('messages within gaps', checked.withinGaps)
          tally.add('messages before the first of their book', checked.beforeFirst)
          tally.add('gap records', checked.gaps)
          tally.add('records', checked.records)
          tally.add('descriptors at first', first.descriptors)
          tally.add('descriptors at the end', last.descriptors)
          tally.add('sockets at first', first.sockets)
          tally.add('sockets at the end', last.sockets)
          note(Object.fromEntries(tally.counts))
          assertFlat(samples, tally)
          if (last.sockets > first.sockets + 4) throw new Error(`${last.sockets} sockets, ${first.sockets} at first`)
        } finally {
          clearInterval(sampler)
          await recording.kill()
          await venues.stop()
        }
      },
    }
  },
}

function injectFault(venues: TrialVenues, random: Random, tally: Tally): void {
  const name = random.pick(FAULT_NAMES)
  if (!random.chance(SELDOM[name] ?? 1)) return
  FAULTS[name](venues)
  tally.add('faults')
  tally.add(`  ${name}`)
}

function noteSample(sample: Sample, status: RecorderStatus | undefined, { ledger }: TrialVenues): void {
  const ofVenues = Object.entries(status?.venues ?? {}).map(([venue, of]) => ({
    ...{ venue, connections: of.connections, frames: of.frames, reconnects: of.reconnects, gaps: of.gaps },
    ...{ lost: of.books_lost, audits: of.audits, rest: of.rest_books, missing: of.snapshots_missing },
  }))
  const { state, segments, loading, problems } = status ?? {}
  const line = { at: new Date().toISOString(), sent: ledger.count, ...sample, state, problems, segments, loading }
  note({ ...line, ofVenues })
}

/** Writes a line of measurements, if a log is requested. */
function note(fields: object): void {
  const path = process.env['RECORD_SOAK_LOG']
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(fields)}\n`)
}

function tallyStatus(status: RecorderStatus | undefined, tally: Tally): void {
  for (const [venue, of] of Object.entries(status?.venues ?? {})) {
    for (const [reason, count] of Object.entries(of.reconnects)) tally.add(`${venue} reconnects by ${reason}`, count)
    for (const [reason, count] of Object.entries(of.gaps)) tally.add(`${venue} gaps by ${reason}`, count)
    for (const [result, count] of Object.entries(of.audits)) tally.add(`${venue} audits ${result}`, count)
    tally.add(`${venue} frames`, of.frames)
    tally.add(`${venue} books of REST`, of.rest_books)
    tally.add(`${venue} rotations`, of.rotations)
  }
}

/** Throws if the recorder's own memory is above its bound, or rose in the second half by more than SLOPE_MB_MAX an
 *  hour. */
function assertFlat(samples: readonly Sample[], tally: Tally): void {
  const own = samples.map(({ ownMb }) => ownMb)
  const max = Math.max(...own)
  tally.add('MB of its own, at most', Math.round(max))
  tally.add('MB resident, at most', Math.round(Math.max(...samples.map(({ residentMb }) => residentMb))))
  if (max > OWN_MB_MAX) throw new Error(`${max} MB of its own`)
  if (samples.length < SAMPLES_MIN) return
  const slope = slopeOf(own.slice(own.length / 2)) * (3_600_000 / SAMPLE_MS)
  tally.add('MB an hour, slope of the second half', Math.round(slope))
  if (slope > SLOPE_MB_MAX) throw new Error(`memory rises by ${slope.toFixed(1)} MB an hour`)
}
