// Finds out whether a recorder has just started. If so, its markets may have no stored records yet.

import type { SeenRecorder } from '../record/status/status-file.ts'

/** A recorder commits the first records of its markets within this time. */
const START_MS = 120_000

type Seen = {
  /** Null if no recorder ever ran on the data folder. */
  recorder: () => SeenRecorder | null
  /** Whether the server starts a recorder. For a moment, this recorder has no status file yet. */
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
