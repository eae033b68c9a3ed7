// A recorder on this machine: its clocks, its sockets, and the thread that loads what it records.

import type { StorePlace } from '../../storage/open-store.ts'
import { systemTimers } from '../../storage/retry/timers.ts'
import { LiveLoader } from '../../workers/live-load/live-loader.ts'
import type { LiveLoading } from '../../workers/live-load/live-loading.ts'
import { MachineClock } from './connection/machine-clock.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'
import { lastHeard } from './run/last-heard.ts'
import { openWebSocket } from './socket/web-socket.ts'

export type RecorderPlace = Pick<
  RecorderOptions,
  'folder' | 'config' | 'version' | 'figures' | 'log' | 'endsWithVenues'
> & {
  /** Certificates that are trusted beside the usual ones, as PEM. */
  ca?: string
  /** Null, or not given, for the store in the folder. */
  cluster?: StorePlace['cluster']
}

/** Above that, loading catches up from the segments. */
const QUEUED_BYTES_MAX = 64 * 2 ** 20

/** Nobody else may write the store of its folder until it is stopped. `start` begins. `loading` takes the place of a
 *  thread that loads. */
export function openRecorder({ ca, cluster = null, ...place }: RecorderPlace, loading?: LiveLoading): Recorder {
  const { folder, config, figures, log } = place
  // Before the thread begins, which moves segments.
  const heard = lastHeard(folder, config.recorderId)
  const { commitMs, retentionDays } = config
  const start = () =>
    new LiveLoader(
      { dataFolder: folder, cluster, commitSeconds: commitMs / 1_000, queuedBytesMax: QUEUED_BYTES_MAX, retentionDays },
      {
        onCommit: (report) => recorder.committed(report),
        onWaiting(message) {
          if (!figures.problems.has('leftover')) log.warn({ because: message }, 'nothing is loaded for now')
          figures.problems.set('leftover', `Nothing is loaded for now: ${message}`)
        },
        onLeftover({ segments, truncated, errors }) {
          figures.problems.delete('leftover')
          if (segments > 0) log.info({ segments, truncated, errors }, 'what was recorded before is loaded')
        },
        onRetention({ segment, kept }) {
          if (kept === null) figures.segmentsRemoved++
          else log.warn({ segment, because: kept }, 'a segment is kept beyond its time')
        },
        onFailure({ message }) {
          log.warn({ because: message }, 'nothing is loaded until the next start; what comes is kept in segments')
          figures.problems.set('loading', `Nothing is loaded until the next start: ${message}`)
        },
      },
    )
  const openSocket = openWebSocket(ca === undefined ? {} : { ca })
  const recorder: Recorder = new Recorder({
    ...place,
    loading: loading ?? start(),
    heard,
    clock: new MachineClock(),
    timers: systemTimers,
    random: Math.random,
    openSocket: config.replayTimes ? openSocket : (handshake, _, events) => openSocket(handshake, [], events),
  })
  return recorder
}
