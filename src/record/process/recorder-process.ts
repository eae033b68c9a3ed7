// The recorder as a process: its loading thread, its status file, and its end.

import { mkdirSync } from 'node:fs'
import { freeBytes } from '../../../storage/data-folder/disk-space.ts'
import { VENUES } from '../../../storage/venue.ts'
import { LiveLoader } from '../../../workers/live-load/live-loader.ts'
import type { Log } from '../../observe/log/log.ts'
import { VERSION } from '../../version.ts'
import type { RecordConfig } from '../config/record-config.ts'
import { MachineClock } from '../connection/machine-clock.ts'
import { systemTimers } from '../connection/time.ts'
import { Recorder } from '../recorder.ts'
import { openWebSocket } from '../socket/web-socket.ts'
import { RecorderFigures } from '../status/recorder-figures.ts'
import { type RecorderState, type RecorderStatus, statusOf } from '../status/recorder-status.ts'
import { readStatus, writeStatus } from '../status/status-file.ts'
import { heardBefore } from './heard-before.ts'

export type RecorderProcess = {
  /** Resolves when the venues have said all, where it is to end then. */
  finished: Promise<void>
  /** Ends in an orderly way: all is in segments, and committed. Rejects where that fails. */
  stop(): Promise<void>
}

export type ProcessOptions = {
  /** The data folder. */
  folder: string
  config: RecordConfig
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Ends when every venue has closed all connections in an orderly way, and nothing is left to ask. */
  endsWithVenues: boolean
}

/** Another recorder runs on the folder. */
export class RecorderRunsError extends Error {
  override readonly name = 'RecorderRunsError'
}

const STATUS_EVERY_MS = 1_000

/** Named markets, and those that were known before, are on their way when this returns. Throws RecorderRunsError, and
 *  what the store or the disk say. */
export function startRecorderProcess({ folder, config, log, endsWithVenues }: ProcessOptions): RecorderProcess {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  assertAlone(folder)
  const figures = new RecorderFigures(Date.now())
  const venues = VENUES.filter((venue) => config[venue] !== null)
  let before: RecorderStatus | null = null
  let couldTell = true
  const tell = (state: RecorderState) => {
    const moment = { nowMs: Date.now(), pid: process.pid, version: VERSION, recorderId: config.recorderId }
    const status = statusOf(figures, { ...moment, venues, state, diskFreeBytes: roomIn(folder), before })
    before = status
    try {
      writeStatus(folder, status)
      couldTell = true
    } catch (error) {
      if (couldTell) log.warn({ error }, 'the status cannot be written')
      couldTell = false
    }
  }
  // What was heard before is read before anything new is written.
  const heard = heardBefore(folder, venues)
  tell('starting')
  let recorder: Recorder | undefined
  const { commitMs, queueBytesMax: queuedBytesMax, retentionDays, retentionVerify } = config
  const retention = retentionDays === null ? null : { days: retentionDays, isVerified: retentionVerify }
  const loading = new LiveLoader(
    { dataFolder: folder, commitSeconds: commitMs / 1_000, queuedBytesMax, retention },
    {
      onCommit: (report) => recorder?.committed(report),
      onLeftover: (report) => log.info({ ...report }, 'what was not loaded before is loaded'),
      onRetention({ segment, kept }) {
        if (kept === null) figures.segmentsRemoved++
        else log.warn({ segment, because: kept }, 'a segment is kept beyond its time')
      },
      onFailure(error) {
        log.error({ error }, 'loading has ended: segments are written on, and loaded at the next start')
        figures.problems.set('loading', `Loading has ended: ${error.message}; restart the recorder`)
      },
    },
  )
  recorder = new Recorder({
    ...{ folder, config, version: VERSION, figures, log, loading, endsWithVenues },
    heardBefore: (venue, book) => heard.get(venue)?.get(book),
    clock: new MachineClock(),
    timers: systemTimers,
    random: Math.random,
    openSocket: openWebSocket(),
  })
  recorder.start()
  const running = recorder
  const timer = setInterval(() => tell(running.state), STATUS_EVERY_MS)
  return {
    finished: recorder.finished,
    async stop() {
      try {
        await running.stop()
      } finally {
        clearInterval(timer)
        figures.queuedBytes = loading.queuedBytes
        tell('stopped')
      }
    },
  }
}

/** Two would load each other's segments while they are written. */
function assertAlone(folder: string): void {
  const seen = readStatus(folder, Date.now())
  if (seen === null || seen.state === 'gone' || seen.state === 'stopped' || seen.status.pid === process.pid) return
  throw new RecorderRunsError(
    `another recorder (process ${seen.status.pid}) runs on ${folder}: stop it, or record to another folder`,
  )
}

function roomIn(folder: string): number | null {
  try {
    return freeBytes(folder)
  } catch {
    return null
  }
}
