// Messages of the first markets become records at once; messages of other markets wait in bundles.

import { expect, test } from 'bun:test'
import { closeSync } from 'node:fs'
import { kalshiDelta, received } from '../../test/model/lines.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { CaptureFeed } from '../capture/capture-feed.ts'
import { SequenceHoles } from '../venues/sequence-holes.ts'
import { PartSink } from './part-sink.ts'

const sinkIn = (folder: string, marketsAtOnce: number) =>
  new PartSink({
    folder,
    loadingMs: Date.parse('2026-11-01'),
    threads: 1,
    onReject: () => undefined,
    holes: new SequenceHoles(),
    marketsAtOnce,
  } as never)

test.each([1, 2, 5, 9])('%d markets at once', (marketsAtOnce) => {
  using folder = temporaryFolder()
  const of = () => sinkIn(folder.path, marketsAtOnce)
  const first = of()
  const feed = new CaptureFeed(first, () => undefined)
  for (let i = 0; i < 20; i++) {
    const delta = kalshiDelta(i, '0.5', '1')
    const bytes = Buffer.from(JSON.stringify({ ...delta, msg: { ...delta.msg, market_ticker: `KX-${i % 5}` } }))
    feed.line(bytes, 0, bytes.length, i + 1)
  }
  const days = first.collect().flat()
  const { bundles, file } = first.spilled()
  expect(days.map(({ key, recordCount }) => [key.market, recordCount])).toEqual(
    Array.from({ length: Math.min(5, marketsAtOnce) }, (_, i) => [`KX-${i}`, 4]),
  )
  const later = of()
  let sent = 0
  for (const bundle of bundles) {
    for (const _ of bundle.send(later, sent));
    sent += bundle.marketCount
  }
  expect(sent).toBe(Math.max(0, 5 - marketsAtOnce))
  const rest = later
    .collect()
    .flat()
    .concat(later.spilled().bundles.length > 0 ? [] : [])
  expect(rest.reduce((sum, { recordCount }) => sum + recordCount, 0)).toBe(4 * Math.min(sent, marketsAtOnce))
  for (const open of [file, ...later.releaseFiles()]) if (open !== undefined) closeSync(open)
})

test('a capture whose times of receipt are in another zone is refused', () => {
  using folder = temporaryFolder()
  const sink = sinkIn(folder.path, 1)
  const feed = new CaptureFeed(sink, () => undefined)
  for (const ms of [1, 2, 3]) {
    const bytes = Buffer.from(JSON.stringify(received(ms - 4 * 3_600_000, kalshiDelta(ms, '0.5', '1'))))
    feed.line(bytes, 0, bytes.length, ms)
  }
  expect(() => sink.checkZone()).toThrow('its times of receipt are 04:00 behind those of the venue in all 3 messages')
  for (const open of sink.releaseFiles()) closeSync(open)
})
