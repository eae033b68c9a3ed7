// Whether a recorder has just started, so that nothing is stored yet of markets that it selects.

import type { SeenRecorder } from '../record/status/status-file.ts'

/** A recorder commits the first records of its markets within this. */
const START_MS = 120_000

type Seen = {
  /** Null where no recorder ever ran on the data folder. */
  recorder: () => SeenRecorder | null
  /** Whether one is started with the server, which has not written its status at first. */
  hasRecorder: boolean
  nowMs: () => number
}

export function recorderStart({ recorder, hasRecorder, nowMs }: Seen): () => boolean {
  const isRecent = (ms: number) => nowMs() - ms < START_MS
  const openedMs = nowMs()
  return () => {
    if (hasRecorder && isRecent(openedMs)) return true
    const seen = recorder()
    return seen !== null && seen.state !== 'gone' && seen.state !== 'stopped' && isRecent(seen.status.started_at)
  }
}
