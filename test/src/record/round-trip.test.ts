// long: whole days are recorded again
// Replays the content of a store in the venue's protocol. A recorder stores the replay in a new store, which then has
// the same content.

import { describe, expect, test } from 'bun:test'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { allCaptures, hasCaptures } from '../../support/captures.ts'
import { replayed } from '../../support/record/replayed.ts'
import { TestStore } from '../../support/store.ts'
import { storedContents } from '../../workers/live-load/stored-contents.ts'

async function expectSame(original: TestStore, venue: 'kalshi' | 'polymarket', connections = 1) {
  const { copy, stats, close } = await replayed(original, venue, connections)
  const contents = venue === 'polymarket' ? storedContents : contentsWithoutNumbers
  expect(await contents(copy)).toEqual(await contents(original))
  expect(stats.venues[venue].unknown.size).toBe(0)
  await close()
}

/** Returns the content without sequence numbers. Kalshi numbers the messages of each connection from 1, so a replay
 *  has other numbers, without jumps. */
const contentsWithoutNumbers = async (store: TestStore) =>
  (await storedContents(store, false)).map((each) => ({ ...(each as object), inferredGaps: undefined }))

const DATE = '2026-07-20'
const DAY = syntheticDay({ date: DATE, kalshiRecords: 6_000, polymarketRecords: 3_000 })

test.each([1, 3])('a made-up day of Polymarket over %d connections', async (connections) => {
  const original = new TestStore()
  await original.loadLines('polymarket.ndjson', [...DAY.polymarketLines])
  await expectSame(original, 'polymarket', connections)
  await original.close()
})

test.each([1, 3])('a made-up day of Kalshi over %d connections', async (connections) => {
  const original = new TestStore()
  await original.loadLines('kalshi.ndjson', [...DAY.kalshiLines])
  await expectSame(original, 'kalshi', connections)
  await original.close()
})

test('a replay without times is recorded with the current time', async () => {
  const original = new TestStore()
  await original.loadLines('kalshi.ndjson', [...DAY.kalshiLines])
  const beganNs = BigInt(Date.now()) * 1_000_000n
  const { lines, stats, close } = await replayed(original, 'kalshi', 1, { replay_times: false })
  const frames = lines.filter((line) => typeof line['raw'] === 'string')
  expect(frames.length).toBeGreaterThan(6_000)
  expect(frames.every((line) => BigInt(line['recv_ns'] as number) > beganNs - 1_000_000n)).toBe(true)
  expect(lines.find((line) => line['backbook'] === 'segment')).toMatchObject({ clock: 'machine' })
  expect(stats.venues.kalshi.unknown.size).toBe(0)
  await close()
  await original.close()
})

describe.skipIf(!hasCaptures)('the real captures', () => {
  const files = allCaptures().filter((path) =>
    /\/captures\/(?:polymarket\/[^/]+|kalshi\/.+|archives\/kalshi-frames\/.+)$/.test(path),
  )

  test.each(files)('%s', async (path) => {
    const original = new TestStore()
    await original.load(path)
    await expectSame(original, path.includes('/captures/polymarket/') ? 'polymarket' : 'kalshi')
    await original.close()
  })
})
