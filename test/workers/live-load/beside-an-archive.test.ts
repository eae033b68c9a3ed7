// Records that are loaded while they are recorded have the same places and times, with or without an archive of the
// day.

import { expect, test } from 'bun:test'
import { closeSync } from 'node:fs'
import { commitPartitions } from '../../../workers/dates/commit-partitions.ts'
import { LiveSegment } from '../../../workers/live-load/live-segment.ts'
import { DAY, kalshiDelta, NOON, TICKER } from '../../model/lines.ts'
import { type TestStore, withStore } from '../../support/store.ts'

const line = (event: object, receivedMs: number) => JSON.stringify({ recv_ms: NOON + receivedMs, msg: event })

/** Loads a segment, with a commit after each part, and returns its own records. */
async function recorded(store: TestStore, parts: string[][]): Promise<object[]> {
  const segment = new LiveSegment(store.folder, 'live')
  for (const [i, lines] of parts.entries()) {
    segment.feed(new TextEncoder().encode(lines.map((each) => `${each}\n`).join('')), NOON + 60_000)
    const { partitions, file } = segment.collect(NOON + 60_000, i < parts.length - 1 ? 'unknown' : 'none')
    store.store.refresh()
    await commitPartitions(store.store, partitions)
    for (const partition of partitions) segment.continueFrom(partition)
    if (file !== undefined) closeSync(file)
  }
  segment.close()
  store.store.refresh()
  return store.ofSource(null).records('kalshi', TICKER, DAY)
}

const first = [line(kalshiDelta(39, '0.4800', '6.00'), 50)]

test.each([
  ['the same change again', line(kalshiDelta(39, '0.4800', '6.00'), 51)],
  ['a change that the venue dates before it', line(kalshiDelta(10, '0.4100', '6.00'), 51)],
  ['another change of the same time', line(kalshiDelta(39, '0.4100', '6.00'), 51)],
])('behind a change, in the next commit, %s', (_, next) =>
  withStore((alone) =>
    withStore(async (beside) => {
      await beside.loadLines('archive.ndjson', [line(kalshiDelta(10, '0.3000', '1.00'), 10)], 'pmxt-v2')
      const expected = await recorded(alone, [first, [next]])
      expect(expected).toHaveLength(2)
      expect(await recorded(beside, [first, [next]])).toEqual(expected)
    }),
  ),
)
