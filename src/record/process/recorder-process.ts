// Runs the recorder in this process: starts it, writes its status file every second, and stops it.

import { freeBytes } from '../../../storage/data-folder/disk-space.ts'
import type { StorePlace } from '../../../storage/open-store.ts'
import { VENUES } from '../../../storage/venue.ts'
import type { Log } from '../../observe/log/log.ts'
import { VERSION } from '../../version.ts'
import type { RecordConfig } from '../config/read-record-config.ts'
import { openRecorder } from '../open-recorder.ts'
import { RecorderFigures } from '../status/recorder-figures.ts'
import { type RecorderState, type RecorderStatus, statusOf } from '../status/recorder-status.ts'
import { readStatus, writeStatus } from '../status/status-file.ts'

type RecorderProcess = {
  /** See `Recorder.finished`. */
  finished: Promise<string | null>
  /** Stops in order: writes everything to segments and commits it. Rejects if that fails. */
  stop(): Promise<void>
}

type ProcessOptions = {
  /** The data folder, which must exist. */
  folder: string
  cluster: StorePlace['cluster']
  config: RecordConfig
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Ends when every venue has closed all connections normally and discovery has no open request. */
  endsWithVenues: boolean
}

/** Another recorder is running on the folder. */
export class RecorderRunsError extends Error {
  override readonly name = 'RecorderRunsError'
}

const STATUS_EVERY_MS = 1_000

/** Starts the recorder. When it returns, named markets and those known before a restart are being subscribed. Throws
 *  RecorderRunsError, and errors of the store and the disk. */
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
  let couldWrite = true
  const write = (state: RecorderState) => {
    const moment = { nowMs: Date.now(), pid: process.pid, version: VERSION, recorderId: config.recorderId }
    const status = statusOf(figures, { ...moment, venues, state, diskFreeBytes: roomIn(folder), before })
    before = status
    try {
      writeStatus(folder, status)
      couldWrite = true
    } catch (error) {
      if (couldWrite) log.warn({ error }, 'the status cannot be written')
      couldWrite = false
    }
  }
  write('starting')
  const recorder = openRecorder({ folder, cluster, config, version: VERSION, figures, log, endsWithVenues })
  recorder.start()
  let isRefused = false
  const finished = recorder.finished.then((refusal) => {
    isRefused = refusal !== null
    return refusal
  })
  const timer = setInterval(() => write(recorder.state), STATUS_EVERY_MS)
  return {
    finished,
    async stop() {
      try {
        await recorder.stop()
      } finally {
        clearInterval(timer)
        figures.queuedBytes = 0
        // A recorder that a venue refused was not stopped on purpose: its status must not say `stopped`, so that
        // monitoring reports it as gone.
        write(isRefused ? 'stopping' : 'stopped')
      }
    },
  }
}

/** Throws if a recorder runs on the folder: two would load each other's segments while they are written. */
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
