// Builds a recorder with the clock, timers and sockets of this machine, and the thread that loads its segments.

import type { StorePlace } from '../../storage/open-store.ts'
import { systemTimers } from '../../storage/retry/timers.ts'
import { LiveLoader } from '../../workers/live-load/live-loader.ts'
import type { LiveLoading } from '../../workers/live-load/live-loading.ts'
import { openWebSocket } from './connection/web-socket.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'
import { lastHeard } from './run/last-heard.ts'
import { MachineClock } from './time/clock.ts'

export type RecorderPlace = Pick<
  RecorderOptions,
  'folder' | 'config' | 'version' | 'figures' | 'log' | 'endsWithVenues'
> & {
  /** Extra trusted certificates, as PEM. */
  ca?: string
  /** Null or undefined uses the store in the folder. */
  cluster?: StorePlace['cluster']
}

/** If more bytes than this are queued, the loader catches up from the segment files instead. */
const QUEUED_BYTES_MAX = 64 * 2 ** 20

/** Returns a recorder that its `start` begins. No other process may write the store of its folder until it is stopped.
 *  `loading` replaces the loading thread. */
export function openRecorder({ ca, cluster = null, ...place }: RecorderPlace, loading?: LiveLoading): Recorder {
  const { folder, config, figures, log } = place
  // Read this before the loading thread starts: the thread moves segments.
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
          if (segments > 0)
            log.info({ segments, truncated, errors }, 'loaded the segments that were left by an earlier run')
        },
        onRetention({ segment, kept }) {
          if (kept === null) figures.segmentsRemoved++
          else log.warn({ segment, because: kept }, 'a segment was not removed when its retention ended')
        },
        onFailure({ message }) {
          log.warn({ because: message }, 'loading has stopped until the next start; new messages stay in segments')
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
