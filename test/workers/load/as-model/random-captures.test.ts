// long: the slow model answers, too
// Goal: whatever a recorder may have written, whole or in overlapping parts, the program stores the records that the
// slow model stores, and answers the same summaries.

import { describe, expect, test } from 'bun:test'
import { VENUES, type Venue } from '../../../../storage/venue.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { printBookTimes } from '../../../../workers/venues/printed/printed-book-times.ts'
import { loadTexts } from '../../../model/model.ts'
import { partWhileWaiting, seeds } from '../../../run/effort.ts'
import {
  ALL_STORE_KINDS,
  type AnyStore,
  type StoredRecord,
  type StoreKind,
  withStoreOf,
} from '../../../support/store.ts'
import { expectSameRecords, expectSameSummary } from '../model-comparison.ts'
import { RandomCapture } from '../random-capture.ts'

const SUMMARIES = 15

/** Loads each part as a capture of its own and compares with the model after the last. */
async function check(kind: StoreKind, seed: number, parts: string[][]): Promise<void> {
  const random = new Random(seed, 'summaries')
  const model = loadTexts(
    parts.map((lines) => lines.join('\n')),
    Date.now(),
  )
  await withStoreOf(kind, async (store) => {
    const rejected: string[] = []
    for (const [index, lines] of parts.entries()) {
      const report = await store.loadLines(`part-${index}`, lines)
      expect(report.error).toBeNull()
      rejected.push(...report.rejects.map(({ line }) => `text ${index + 1} line ${line}`))
    }
    // A load reports its rejects by line.
    const expected = model.rejects.toSorted((a, b) => (a.file === b.file ? a.line - b.line : 0))
    expect(rejected).toEqual(expected.map(({ file, line }) => `${file} line ${line}`))
    const books = await expectSameRecords(store, model)
    for (let i = 0; i < SUMMARIES; i++) await expectSameSummary(store, model, books, random)
  })
}

/** Returns the lines in which `export` prints the times of books by recorder, if these times decide about gaps. */
async function printedBookTimes({ store }: AnyStore, venue: Venue, market: string): Promise<string[]> {
  const heads = await store.catalogue.heads(venue, market)
  return heads.flatMap(({ date, head: { heard = [], gaps } }) => {
    const isDecided = heard.length > 1 || gaps.some(({ isCovered }) => isCovered === true)
    return isDecided ? heard.map((each) => printBookTimes({ market, date, source: undefined, heard: each })) : []
  })
}

/** Prints each market of a store as `export` does it, one record a line, or as a page of all records. */
async function printedMarkets(store: AnyStore, isPage: boolean): Promise<string[]> {
  const printed: string[] = []
  for (const venue of VENUES) {
    const { markets } = await store.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 1_000 })
    for (const market of markets) {
      const records: StoredRecord[] = []
      for (const date of await store.dates(venue, market)) records.push(...(await store.records(venue, market, date)))
      const name = venue === 'kalshi' ? { market_ticker: market } : { market_condition_id: market }
      const page = { ...name, date: null, data_count: records.length, data: records }
      const lines = [
        ...records.map((record) => JSON.stringify(record)),
        ...(await printedBookTimes(store, venue, market)),
      ]
      printed.push(isPage ? JSON.stringify(page) : lines.join('\n'))
    }
  }
  return printed
}

async function checkPrinted(kind: StoreKind, seed: number, lines: string[]): Promise<void> {
  const random = new Random(seed, 'summaries')
  const model = loadTexts([lines.join('\n')], Date.now())
  await withStoreOf(kind, async (store) => {
    await store.loadLines('capture', lines)
    const pages = await printedMarkets(store, true)
    const markets = await printedMarkets(store, false)
    // Pages do not have the times of books by recorder, and the model does not read lines with them.
    const hasBookTimes = markets.some((text) => text.includes('"backbook"'))
    for (const [index, page] of pages.entries()) {
      const changed = [
        await store.loadLines(`page-${index}`, [page]),
        await store.loadLines(`lines-${index}`, [markets[index]!]),
      ]
      for (const report of changed) {
        expect(report).toMatchObject({ recordsAdded: 0, partitionsChanged: 0, rejected: 0, error: null })
      }
    }
    for (const printed of hasBookTimes ? [markets] : [pages, markets]) {
      await withStoreOf(kind, async (copy) => {
        for (const [index, text] of printed.entries()) {
          expect(await copy.loadLines(`market-${index}`, [text])).toMatchObject({ rejected: 0, error: null })
        }
        const books = await expectSameRecords(copy, model)
        for (let i = 0; i < 5; i++) await expectSameSummary(copy, model, books, random)
      })
      const reread = loadTexts(printed, Date.now())
      expect(reread.rejects).toEqual([])
      if (!hasBookTimes) await expectSameRecords(store, reread)
    }
  })
}

type Line = Record<string, unknown> & { event?: Line; price_changes?: object[] }

/** Converts half of the messages with one change to the oldest form, which is the change itself. */
function inOldestForm(line: string, random: Random): string {
  const value = JSON.parse(line) as Line
  const { price_changes: entries, ...rest } = value.event ?? value
  if (entries?.length !== 1 || random.chance(0.5)) return line
  const message = { ...rest, ...entries[0] }
  return JSON.stringify(value.event === undefined ? message : { ...value, event: message })
}

/** Empties the token in some of the messages. */
const withEmptyTokens = (line: string, random: Random): string =>
  random.chance(0.1) ? line.replaceAll(/"asset_id":"\d+"/g, '"asset_id":""') : line

/** All kinds of stores share the code that decides what is stored, so a few seeds are enough for the other kinds. */
const seedsOf = (kind: StoreKind, usual: number) =>
  kind === 'lmdb' ? partWhileWaiting(seeds(1, usual, 5 * usual), 2) : seeds(1, Math.ceil(usual / 6), 2 * usual)

const FORMS = [
  ['in an envelope', true],
  ['bare', false],
] as const

describe.each(
  ALL_STORE_KINDS.flatMap((kind) => FORMS.map(([name, isEnveloped]) => [name, kind, isEnveloped] as const)),
)('random captures %s, in a store on %s', (_name, kind, isEnveloped) => {
  test.each(seedsOf(kind, 2))('whole, seed %d', (seed) =>
    check(kind, seed, [new RandomCapture(seed, isEnveloped).lines(140)]),
  )

  test.each(seedsOf(kind, 6))('in overlapping parts, seed %d', (seed) => {
    const lines = new RandomCapture(seed, isEnveloped).lines(90)
    const random = new Random(seed, 'parts')
    const parts = Array.from({ length: 3 }, () => {
      const start = random.below(60)
      return lines.slice(start, start + random.between(10, 60))
    })
    return check(kind, seed, [...parts, parts[0]!])
  })

  test.each(seedsOf(kind, 4))('loaded again as printed records, seed %d', (seed) =>
    checkPrinted(kind, seed, new RandomCapture(seed + 200, isEnveloped).lines(100)),
  )

  test.each(seedsOf(kind, 2))('with messages of the oldest form, seed %d', (seed) => {
    const random = new Random(seed, 'forms')
    const lines = new RandomCapture(seed + 400, isEnveloped).lines(140).map((line) => inOldestForm(line, random))
    return check(kind, seed, [lines.slice(70), lines])
  })

  test.each(seedsOf(kind, 2))('with empty tokens, seed %d', (seed) => {
    const random = new Random(seed, 'tokens')
    const lines = new RandomCapture(seed + 500, isEnveloped).lines(140).map((line) => withEmptyTokens(line, random))
    return check(kind, seed, [lines.slice(70), lines])
  })

  test.each(seedsOf(kind, 6))('by recorders that lose lines, seed %d', (seed) => {
    const lines = new RandomCapture(seed + 100, isEnveloped).lines(70)
    const random = new Random(seed, 'losses')
    const lossy = () => lines.filter(() => random.chance(0.7))
    return check(kind, seed, [lossy(), lossy(), lossy()])
  })

  test.each(seedsOf(kind, 4))('by recorders of ours, each with its own segments, seed %d', (seed) => {
    const lines = new RandomCapture(seed + 300, isEnveloped).lines(80)
    const random = new Random(seed, 'segments')
    const segment = () => {
      const header = JSON.stringify({ backbook: 'segment', recorder: random.pick(['one', 'two']) })
      const start = random.below(60)
      return [header, ...lines.slice(start, start + random.between(5, 50)).filter(() => random.chance(0.8))]
    }
    return check(kind, seed, [segment(), segment(), segment(), segment()])
  })
})
