// Runs the recorder in this process, with the clock, timers and sockets of this machine: starts it, writes its status
// file every second, and stops it.

import { freeBytes } from '../../../storage/data-folder/disk-space.ts'
import type { StorePlace } from '../../../storage/open-store.ts'
import { systemTimers } from '../../../storage/retry/timers.ts'
import { VENUES } from '../../../storage/venue.ts'
import { collectEachMinute } from '../../../workers/collect-garbage.ts'
import { LiveLoader } from '../../../workers/live-load/live-loader.ts'
import type { LiveLoading } from '../../../workers/live-load/live-loading.ts'
import { VERSION } from '../../version.ts'
import { openWebSocket } from '../connection/web-socket.ts'
import { lastSeenIn } from '../last-seen/segment-ends.ts'
import { Recorder, type RecorderOptions } from '../recorder.ts'
import { RecorderStats } from '../status/recorder-stats.ts'
import { type RecorderState, type RecorderStatus, statusOf } from '../status/recorder-status.ts'
import { readStatus, writeStatus } from '../status/status-file.ts'
import { MachineClock } from '../time/clock.ts'

type RecorderProcess = {
  /** See `Recorder.finished`. */
  finished: Promise<string | null>
  /** Stops in order: writes everything to segments and commits it. Rejects if that fails. */
  stop(): Promise<void>
}

const STATUS_EVERY_MS = 1_000

/** Starts the recorder, and begins to subscribe named markets and those known before a restart. Throws if another
 *  recorder runs on the folder. Also throws errors of the store and the disk. */
export function startRecorderProcess(place: Omit<RecorderPlace, 'stats'>): RecorderProcess {
  const { folder, config, log } = place
  assertAlone(folder)
  const stats = new RecorderStats(Date.now())
  const venues = VENUES.filter((venue) => config[venue] !== null)
  let before: RecorderStatus | null = null
  let couldWrite = true
  const write = (state: RecorderState) => {
    const moment = { nowMs: Date.now(), pid: process.pid, version: VERSION, recorderId: config.recorderId }
    const status = statusOf(stats, { ...moment, venues, state, diskFreeBytes: roomIn(folder), before })
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
  const recorder = openRecorder({ ...place, stats })
  recorder.start()
  collectEachMinute()
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
        stats.queuedBytes = 0
        // After a venue's refusal, the last state is `stopping`: no operator stopped the recorder, so
        // monitoring must report it as gone.
        write(isRefused ? 'stopping' : 'stopped')
      }
    },
  }
}

/** Throws if a recorder runs on the folder: two recorders would load each other's segments while they are written. */
function assertAlone(folder: string): void {
  const seen = readStatus(folder, Date.now())
  if (seen === null || seen.state === 'gone' || seen.state === 'stopped' || seen.status.pid === process.pid) return
  throw new Error(
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

export type RecorderPlace = Pick<RecorderOptions, 'folder' | 'config' | 'stats' | 'log' | 'endsWithVenues'> & {
  /** The cluster whose store is used; null or undefined uses the store in the folder. */
  cluster?: StorePlace['cluster']
}

/** If more bytes than this are queued, the loader catches up from the segment files instead. */
const QUEUED_BYTES_MAX = 64 * 2 ** 20

/** Returns a recorder that is not started yet: call its `start`. No other process may write the store of its folder
 *  until the recorder is stopped. `loading` replaces the loading thread. */
export function openRecorder({ cluster = null, ...place }: RecorderPlace, loading?: LiveLoading): Recorder {
  const { folder, config, stats, log } = place
  // Read this before the loading thread starts: the thread moves segments.
  const lastSeen = lastSeenIn(folder, config.recorderId)
  const { commitMs, retentionDays } = config
  const start = () =>
    new LiveLoader(
      { dataFolder: folder, cluster, commitSeconds: commitMs / 1_000, queuedBytesMax: QUEUED_BYTES_MAX, retentionDays },
      {
        onCommit: (report) => recorder.committed(report),
        onWaiting(message) {
          if (!stats.problems.has('leftover')) log.warn({ because: message }, 'nothing is loaded for now')
          stats.problems.set('leftover', `Nothing is loaded for now: ${message}`)
        },
        onLeftover({ segments, truncated, errors }) {
          stats.problems.delete('leftover')
          if (segments > 0)
            log.info({ segments, truncated, errors }, 'loaded the segments that were left by an earlier run')
        },
        onRetention({ segment, kept }) {
          if (kept === null) stats.segmentsRemoved++
          else log.warn({ segment, because: kept }, 'a segment was not removed when its retention ended')
        },
        onFailure({ message }) {
          log.warn({ because: message }, 'loading has stopped until the next start; new messages stay in segments')
          stats.problems.set('loading', `Nothing is loaded until the next start: ${message}`)
        },
      },
    )
  const openSocket = openWebSocket()
  const recorder: Recorder = new Recorder({
    ...place,
    loading: loading ?? start(),
    lastSeen,
    clock: new MachineClock(),
    timers: systemTimers,
    random: Math.random,
    openSocket: config.replayTimes ? openSocket : (handshake, _, events) => openSocket(handshake, [], events),
  })
  return recorder
}
