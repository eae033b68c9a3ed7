// Collects the lines of a capture into partitions, without a store.

import { tmpdir } from 'node:os'
import { bookTimesBy } from '../../workers/book-times/book-times.ts'
import { CaptureFeed } from '../../workers/capture/capture-feed.ts'
import { RecordRouter } from '../../workers/load/record-router.ts'
import type { CollectedPartition } from '../../workers/partition/collected-partition.ts'
import { CaptureFacts } from '../../workers/venues/capture-facts.ts'

export function collectLines(
  lines: string[],
  loadingMs = Date.parse('2026-11-01'),
  source?: string,
): CollectedPartition[] {
  const facts = new CaptureFacts()
  const router = new RecordRouter({ folder: tmpdir(), loadingMs, threads: 1, onReject: () => {}, facts })
  const feed = new CaptureFeed(router, () => {}, source, undefined, facts)
  const encoder = new TextEncoder()
  lines.forEach((line, i) => {
    const bytes = encoder.encode(line)
    feed.line(bytes, 0, bytes.length, i + 1)
  })
  return router
    .collect()
    .flatMap((days) => days.map((day) => ({ ...day, heard: bookTimesBy(feed.recorder, day.heard) })))
}
