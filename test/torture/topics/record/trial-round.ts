// The start and the end of a round of recorders.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findSegment, loadedFolder, newFolder, segmentsBelow } from '../../../../workers/segment/segment-folder.ts'
import { type Checked, checkRecording } from '../../../support/trial/check-recording.ts'
import { Recording, trialConfig } from '../../../support/trial/recording.ts'
import { SmallDisk } from '../../../support/trial/small-disk.ts'
import { TrialVenues } from '../../../support/trial/trial-venues.ts'
import { endFaults, FAULT_NAMES, FAULTS } from '../../../support/trial/venue-faults.ts'
import type { Round } from '../../topic.ts'
import { runProgram } from '../crashes/killed-program.ts'

const PER_SECOND = 300
/** By this time, the recorders have detected every frozen connection, ms. */
const CALM_MS = 5_000
const LAST_MS = 1_000
const LOADED_MS = 300_000

export type TrialRound = {
  venues: TrialVenues
  /** The data folder of the recorders of this round. */
  data: string
  disk: SmallDisk | undefined
  start(): Recording
  /** Starts a second recorder in parallel, whose segments are loaded into the same store at the end. */
  startTwin(): Recording
}

/** Runs recorders on venues that send messages. Compares what the recorders leave with what the venues sent. With
 *  `diskMegabytes`, their data is on a separate disk of that size. */
export async function trialRound(
  { random, tally, folder, isSmoke }: Round,
  { diskMegabytes, own = {} }: { diskMegabytes?: number; own?: Record<string, unknown> },
  run: (trial: TrialRound) => Promise<void>,
): Promise<void> {
  const size = isSmoke ? 12 : random.between(4, 60)
  const venues = await new TrialVenues(random, { polymarket: size, kalshi: size }).start()
  const data = join(folder, 'recorded')
  mkdirSync(data)
  const disk = diskMegabytes === undefined ? undefined : await SmallDisk.mount(data, diskMegabytes)
  const seen = disk?.folder ?? data
  const started: Recording[] = []
  try {
    // With the default `rotateMs`, no connection is replaced by plan within a round.
    const polymarket = { per_connection: random.between(2, 20), rotateMs: random.pick([720_000, 3_000]) }
    const kalshi = { per_connection: random.between(1, 20) }
    const config = trialConfig(venues, { own: { commit_seconds: 1, flushMs: 500, ...own }, polymarket, kalshi })
    let left: string[] = []
    const start = () => {
      left = segmentsBelow(newFolder(seen))
      const recording = Recording.start(data, config, disk === undefined ? {} : { disk })
      started.push(recording)
      return recording
    }
    const twinData = join(folder, 'twin')
    const startTwin = () => {
      started.push(Recording.start(twinData, { ...config, recorder_id: 'twin' }))
      return started.at(-1)!
    }
    venues.startTraffic(PER_SECOND)
    await run({ venues, data: seen, disk, start, startTwin })
    await calm(
      venues,
      started.filter(({ hasEnded }) => !hasEnded),
    )
    await loaded(seen, left)
    // The venues are quiet only for a short time, because the recorder reopens a connection that receives nothing for
    // long.
    venues.quiet()
    await Bun.sleep(LAST_MS)
    await Promise.all(started.filter(({ hasEnded }) => !hasEnded).map((recording) => recording.stop()))
    await merge(twinData, seen, tally)
    addToTally(await checkRecording(seen, venues), tally)
  } finally {
    for (const recording of started) if (!recording.hasEnded) await recording.kill()
    await venues.stop()
    await disk?.unmount()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Ends the misbehaviour of the venues, and waits until the recorders have every book again. */
async function calm(venues: TrialVenues, recordings: readonly Recording[]): Promise<void> {
  endFaults(venues)
  await Bun.sleep(CALM_MS)
  for (const recording of recordings) {
    await recording.until('every book is there again', ({ state, venues: all }) => {
      const isWhole = Object.values(all).every((of) => of.connections === of.connections_wanted && of.books_lost === 0)
      return isWhole && (state === 'recording' || state === 'catching_up')
    })
  }
}

/** Loads the segments of a second recorder, if there was one. */
async function merge(twinData: string, data: string, tally: Round['tally']): Promise<void> {
  const segments = segmentsBelow(loadedFolder(twinData)).map((name) => findSegment(loadedFolder(twinData), name)!)
  if (segments.length === 0) return
  await runProgram(['ingest', '--data', data, ...segments])
  rmSync(twinData, { recursive: true })
  tally.add('recordings merged')
}

/** Waits until the segments of killed recorders are loaded: a recorder that stops before that leaves them to the
 *  next one. */
async function loaded(data: string, names: readonly string[]): Promise<void> {
  const untilMs = performance.now() + LOADED_MS
  while (segmentsBelow(newFolder(data)).some((name) => names.includes(name))) {
    if (performance.now() > untilMs) throw new Error(`segments are not loaded after ${LOADED_MS} ms`)
    await Bun.sleep(100)
  }
}

export function injectFault(venues: TrialVenues, { random, tally }: Pick<Round, 'random' | 'tally'>): void {
  const name = random.pick(FAULT_NAMES)
  FAULTS[name](venues)
  tally.add('faults')
  tally.add(`  ${name}`)
}

function addToTally(checked: Checked, tally: Round['tally']): void {
  tally.add('messages sent', checked.sent)
  tally.add('messages that a connection received', checked.delivered)
  tally.add('messages in segments', checked.acknowledged)
  tally.add('messages stored', checked.stored)
  tally.add('messages within gaps', checked.withinGaps)
  tally.add('messages before the first of their book', checked.beforeFirst)
  tally.add('gap records', checked.gaps)
  tally.add('records', checked.records)
}
