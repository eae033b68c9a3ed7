// On a date that shows one source after another, every answer equals that of a slow list of the book's events. After
// a switch the next source's books replace the earlier ones, and nothing stays open across the switch.

import { describe, expect, test } from 'bun:test'
import { blockPart } from '../../../../storage/block-store.ts'
import { decodeBlock, unpackIndexes } from '../../../../storage/format/block.ts'
import { VENUES, type Venue } from '../../../../storage/venue.ts'
import { addProof, isProven, proofsFrom } from '../../../../workers/evidence/proofs.ts'
import { partitionDamage } from '../../../../workers/verify/check-partition.ts'
import { changesOf, eventsOf } from '../../../model/switched/switched-book.ts'
import { evidenceOf } from '../../../model/switched/switched-evidence.ts'
import { seeds } from '../../../run/effort.ts'
import { madeDay } from '../../../support/switched/made-day.ts'
import { MARKETS, SourceMaker, START_MS } from '../../../support/switched/made-source.ts'
import { keyOf, storedDay, switchedDay } from '../../../support/switched/switched-day.ts'

const byTime = (one: { fromMs: number; toMs: number | null }, other: typeof one) =>
  one.fromMs - other.fromMs || (one.toMs ?? 0) - (other.toMs ?? 0)

describe.each(seeds(1, 12, 80))('seed %d', (seed) => {
  test.each(VENUES)('the head of a day of %s', (venue: Venue) => {
    const { spans, books } = madeDay(venue, seed)
    const day = storedDay(switchedDay(venue, spans))
    const { head } = day
    expect(partitionDamage(keyOf(venue), day, null)).toEqual([])
    expect(head.blocks.flatMap(({ begins }) => begins ?? [])).toEqual(spans.slice(1).map(({ fromMs }) => fromMs))
    for (const id of books) {
      const events = eventsOf(spans, id)
      const number = 1 + head.books.findIndex((entry) => entry.id === id)
      const entry = head.books[number - 1]
      const quotes = changesOf(events).filter(({ isQuote }) => isQuote)
      if (entry === undefined) {
        expect(events.every(({ after }) => after.trust === 'unknown')).toBeTrue()
        continue
      }
      const { gaps, confirmed, contradicted, silenceMs } = evidenceOf(spans, events, venue === 'polymarket')
      expect(entry.quoteCount).toBe(quotes.length)
      expect([entry.firstQuoteMs, entry.lastQuoteMs]).toEqual([quotes[0]?.ms ?? null, quotes.at(-1)?.ms ?? null])
      const found = head.inferredGaps.filter(({ book }) => book === number)
      expect<object[]>(
        found.map(({ book: _, levelsDiffering: levels, ...gap }) => ({ ...gap, levels })).sort(byTime),
      ).toEqual(gaps.toSorted(byTime))
      const { snapshotsConfirmed, snapshotsContradicted, longestSilenceMs } = entry.quality
      expect([snapshotsConfirmed, snapshotsContradicted]).toEqual([confirmed, contradicted])
      if (venue === 'kalshi') expect(longestSilenceMs).toBe(silenceMs)
    }
  })
})

test.each(VENUES)(
  'a change of %s behind a switch begins a quote, also at the time of the change before it',
  (venue) => {
    const id = venue === 'kalshi' ? MARKETS.kalshi : '101'
    const source = new SourceMaker(venue, [id], 'one time').make(400, [0, 0, 1])
    const { entries } = source
    const isTie = (i: number) =>
      [entries[i - 1], entries[i]].every((each) => each?.kind === 'delta' && each.ms === entries[i]!.ms)
    const cut = entries.findIndex((_, i) => isTie(i))
    const about = { source, doubted: [] }
    const spans = [
      { ...about, fromMs: START_MS, from: 0, to: cut },
      { ...about, fromMs: entries[cut]!.ms, from: cut, to: entries.length },
    ]
    const { head, bytes } = storedDay(switchedDay(venue, spans))
    const block = decodeBlock(bytes(blockPart(head.blocks[1]!.id)))
    const [first] = unpackIndexes(block.operations, block.recordCount)
    expect(first! & 1).toBe(1)
    const quotes = changesOf(eventsOf(spans, id)).filter(({ isQuote }) => isQuote)
    expect(head.books[0]!.quoteCount).toBe(quotes.length)
    const [whole] = storedDay(switchedDay(venue, [{ ...about, fromMs: START_MS, from: 0, to: entries.length }])).head
      .books
    expect(whole!.quoteCount).toBe(quotes.length - 1)
  },
)

test('a hash establishes a book within its span alone', () => {
  const proven = [{ provenAt: 5 }, {}, { provenAt: [3, 12] }]
  expect(proofsFrom(proven, 10, 0)).toEqual([
    { number: 3, record: -7 },
    { number: 1, record: -5 },
    { number: 3, record: 2 },
  ])
  expect(proofsFrom(proven, 10, 8)).toEqual([{ number: 3, record: 2 }])
  expect(isProven(proven[2], 4, 12)).toBeFalse()
  expect(isProven(proven[2], 4, 13)).toBeTrue()
  const entry: { provenAt?: number | number[] } = {}
  addProof(entry, 7)
  expect(entry.provenAt).toBe(7)
  addProof(entry, 20)
  expect(entry.provenAt).toEqual([7, 20])
})
