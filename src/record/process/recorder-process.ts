// The recorder as a process: its loading thread, its status file, and its end.

import { freeBytes } from '../../../storage/data-folder/disk-space.ts'
import type { StorePlace } from '../../../storage/open-store.ts'
import { VENUES } from '../../../storage/venue.ts'
import type { Log } from '../../observe/log/log.ts'
import { VERSION } from '../../version.ts'
import type { RecordConfig } from '../config/record-config.ts'
import { openRecorder } from '../open-recorder.ts'
import { RecorderFigures } from '../status/recorder-figures.ts'
import { type RecorderState, type RecorderStatus, statusOf } from '../status/recorder-status.ts'
import { readStatus, writeStatus } from '../status/status-file.ts'

export type RecorderProcess = {
  /** As of the recorder. */
  finished: Promise<string | null>
  /** Ends in an orderly way: all is in segments, and committed. Rejects where that fails. */
  stop(): Promise<void>
}

export type ProcessOptions = {
  /** The data folder, which is there. */
  folder: string
  cluster: StorePlace['cluster']
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
export function startRecorderProcess({
  folder,
  cluster,
  config,
  log,
  endsWithVenues,
}: ProcessOptions): RecorderProcess {
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
  tell('starting')
  const recorder = openRecorder({ folder, cluster, config, version: VERSION, figures, log, endsWithVenues })
  recorder.start()
  let isRefused = false
  const finished = recorder.finished.then((refusal) => {
    isRefused = refusal !== null
    return refusal
  })
  const timer = setInterval(() => tell(recorder.state), STATUS_EVERY_MS)
  return {
    finished,
    async stop() {
      try {
        await recorder.stop()
      } finally {
        clearInterval(timer)
        figures.queuedBytes = 0
        // Nobody stopped a recorder that was refused: for those that watch it, it is gone.
        tell(isRefused ? 'stopping' : 'stopped')
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
