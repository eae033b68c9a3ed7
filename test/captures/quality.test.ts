// The program finds the unreported losses in real captures. It finds the same losses as the slow model.

import { describe, expect, test } from 'bun:test'
import { PARAMETERS } from '../../src/http/parameters/venue-parameters.ts'
import { coverageOf } from '../../src/questions/coverage.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { InferredGap } from '../../storage/format/partition-head.ts'
import type { Venue } from '../../storage/venue.ts'
import { StoredOrigins } from '../../workers/block/stored-origins.ts'
import { bookColumns } from '../../workers/book/book-columns.ts'
import { decodeState } from '../../workers/book/book-state.ts'
import { dayOrigin } from '../../workers/book/quality-state.ts'
import { tradeSizes } from '../../workers/book/trade-amounts.ts'
import { PartitionReplay } from '../../workers/partition/partition-replay.ts'
import { loadCaptures, loadTexts, type ModelStore } from '../model/model.ts'
import { seeds } from '../run/effort.ts'
import { allCaptures, capture, hasCaptures } from '../support/captures.ts'
import { collectLines } from '../support/collected.ts'
import { withStore } from '../support/store.ts'
import { RandomCapture } from '../workers/load/random-capture.ts'
import { KALSHI_RECONNECT, linesOf } from './capture-text.ts'

const NOW = Date.parse('2026-11-01')

type Counted = { venue: Venue; market: string; date: string; book: string; quality: object }

/** Returns the quality of each book on the first day of each market. Leaves out later days, because they start from
 *  books of earlier days. */
function counted(lines: string[]): Counted[] {
  const partitions = collectLines(lines, NOW)
  const firstDays = Map.groupBy(partitions, ({ key }) => `${key.venue} ${key.market}`)
  return [...firstDays.values()].flatMap((days) => {
    const { key, blocks, isSorted } = days.toSorted((a, b) => (a.key.date < b.key.date ? -1 : 1))[0]!
    // Leaves out days out of order: their records are sorted only when they are stored.
    if (!isSorted) return []
    let replay = PartitionReplay.atStart(key.date, [], dayOrigin(key.venue, {}), () => false)
    const closed: InferredGap[] = []
    for (const { content } of blocks) {
      const block = decodeBlock(content as Uint8Array)
      const columns = bookColumns(block)
      // Continues from the stored state, as the next append does.
      closed.push(...replay.quality.gaps)
      replay = PartitionReplay.from(decodeState(replay.state()))
      const fields = new StoredOrigins(block, columns)
      replay.apply({ columns, firstRecord: 0, fields, tradeSizes: tradeSizes(block) })
    }
    const { inferredGaps: open, books } = replay.closing()
    const byTime = [...closed, ...open].sort((a, b) => a.fromMs - b.fromMs)
    return books.map(({ id: book, quality, levelsSkipped = 0 }, i) => {
      const own = byTime.filter((gap) => gap.book === i + 1)
      const inferredGaps = own.map(({ reason, fromMs: from, toMs: to, levelsDiffering }) => {
        return { reason, from, to, levelsDiffering }
      })
      return { ...key, book, quality: { inferredGaps, ...quality, levelsSkipped } }
    })
  })
}

function expectModels(counts: Counted[], model: ModelStore): void {
  for (const { venue, market, date, book, quality } of counts) {
    expect(quality).toEqual(model.quality(venue, market, date, book))
  }
}

describe.skipIf(!hasCaptures)('a real capture', () => {
  test('with a reconnect has 11.5 s of silence, and 35 levels that differ', () => {
    expect(counted(linesOf(KALSHI_RECONNECT))[0]!.quality).toEqual({
      inferredGaps: [{ reason: 'sequence_restart', from: 1786407393682, to: 1786407405236, levelsDiffering: 35 }],
      snapshotsConfirmed: 0,
      snapshotsContradicted: 1,
      longestSilenceMs: 11_554,
      hashesAgreed: 0,
      hashesChecked: 0,
      bestPricesAgreed: 0,
      bestPricesChecked: 0,
      levelsSkipped: 0,
    })
  })

  test('with a reconnect has the gap in its coverage', async () => {
    await withStore(async (made) => {
      await made.load(capture(KALSHI_RECONNECT))
      const market = 'KXGOLD15M-26AUG102030-30'
      const { dates } = await coverageOf(made.store.catalogue, PARAMETERS.kalshi, market)
      const [gap] = dates[0]!.inferred_gaps
      expect(dates[0]!.inferred_gaps).toHaveLength(1)
      expect(gap).toEqual({
        ...{ book: market, reason: 'sequence_restart', levels_differing: 35 },
        ...{ from: 1786407393682, to: 1786407405236 },
      })
    })
  })

  const small = allCaptures().filter((path) => /fed|jokic|changes|101900|102030|kalshi-frames/.test(path))
  test.each(small)('%s: as the model counts', (path) => {
    const lines = linesOf(path.slice(capture('').length))
    expectModels(counted(lines), loadCaptures([path], NOW))
  })
})

describe.each([true, false])('random captures, enveloped: %p', (isEnveloped) => {
  test.each(seeds(0, 8, 80))('seed %d: as the model counts', (seed) => {
    const lines = new RandomCapture(seed + 500, isEnveloped).lines(120)
    expectModels(counted(lines), loadTexts([lines.join('\n')], NOW))
  })
})
