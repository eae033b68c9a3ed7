// Goal: an archive fills what the user's own recording lacks, and nothing else; loading it again changes nothing.

import { expect, test } from 'bun:test'
import type { ArchiveFormat, ArchivePart } from '../../../workers/import/archive.ts'
import type { ByteFile } from '../../../workers/import/byte-file.ts'
import { importArchive } from '../../../workers/import/import-archive.ts'
import { PolymarketRows } from '../../../workers/import/rows/polymarket-rows.ts'
import { book, CONDITION, DAY, NOON, NOW, priceChange } from '../../model/lines.ts'
import { type TestStore, withStore } from '../../support/store.ts'

const SECOND = 1_000
/** Seconds after noon: own records from 0 to 180 and from 300 to 600, those of the archive from -60 to 660. */
const [OWN_END, OWN_AGAIN, END] = [180, 300, 600]
const FILE: ByteFile = {
  name: 'hour.parquet',
  byteLength: 1,
  slice: () => Promise.resolve(new ArrayBuffer(0)),
  sha256: () => Promise.resolve(null),
  close: () => {},
}

const seconds = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const change = (second: number) => priceChange(second * SECOND, { price: '0.4', size: String(1_000 + second) })

const ownLines = [
  ...[book(0, [['0.4', '5']], []), ...seconds(1, OWN_END).map(change)],
  {
    type: 'gap',
    venue: 'polymarket',
    asset_id: 'A',
    market: CONDITION,
    msg: { reason: 'disconnect', from: NOON + OWN_END * SECOND, to: NOON + OWN_AGAIN * SECOND },
  },
  ...[book(OWN_AGAIN * SECOND, [['0.4', '9']], []), ...seconds(OWN_AGAIN + 1, END).map(change)],
].map((line) => JSON.stringify(line))

/** In parts of 100 rows. */
const archive: ArchiveFormat = {
  ...{ name: 'made', description: '', source: 'made', clock: 'batch', order: 'file', hashKept: false, isRebuilt: true },
  ...{ licence: 'CC0', attribution: null },
  async *open(_, options) {
    const all = seconds(-60, END + 60)
    for (let start = Number(options.after ?? 0); start < all.length; start += 100) {
      yield {
        next: start + 100 < all.length ? String(start + 100) : null,
        read: async (lines) => {
          const rows = new PolymarketRows(lines, options, { price: 4, size: 6 })
          await rows.begin(CONDITION)
          for (const second of all.slice(start, start + 100)) {
            const ms = NOON + second * SECOND
            const place = { row: second + 61, token: 'A', receivedMs: ms + 7, venueMs: ms }
            const best = { bestBid: 4_000, bestAsk: Number.NaN }
            rows.change(place, { side: 'BUY', price: 4_000, size: (7_000 + second) * 1_000_000, ...best })
          }
          return { rows: rows.rows, leftOut: rows.leftOut }
        },
      }
    }
  },
}

const load = (store: TestStore, after: string | null = null, format = archive) =>
  importArchive(store.store, store.folder, format, FILE, {
    ...{ markets: null, repairs: new Set(), source: 'made', after, loadingMs: NOW },
    onPart: async () => {},
    onProgress: () => {},
  })

const sizesOf = async (store: TestStore) =>
  (await store.records('polymarket', CONDITION, DAY)).flatMap(({ type, msg }) => {
    const [entry] = 'price_changes' in msg ? (msg.price_changes as { size: string }[]) : []
    return [entry?.size ?? type]
  })

const ofArchive = (from: number, to: number) => seconds(from, to).map((second) => String(7_000 + second))
const ofOwn = (from: number, to: number) => seconds(from, to).map((second) => String(1_000 + second))

test('an archive fills the gap, and what is before and after the own recording', () =>
  withStore(async (store) => {
    await store.loadLines('own.ndjson', ownLines)
    const report = await load(store)
    expect(report).toMatchObject({ rows: 721, messages: 721 - report.leftOut, recordsAdded: 721 - report.leftOut })
    const sizes = await sizesOf(store)
    expect(sizes.filter((size) => size !== 'gap')).toEqual([
      ...[...ofArchive(-60, -1), 'snapshot', ...ofOwn(1, OWN_END)],
      ...[...ofArchive(OWN_END + 1, OWN_AGAIN - 1), 'snapshot', ...ofOwn(OWN_AGAIN + 1, END)],
      ...ofArchive(END + 1, END + 60),
    ])
    expect(report.leftOut).toBe(2 + OWN_END + END - OWN_AGAIN)
    const again = await load(store)
    expect(again).toMatchObject({ leftOut: report.leftOut, recordsAdded: 0 })
    expect(await sizesOf(store)).toEqual(sizes)
  }))

test('a gap of the archive breaks no own book that goes on across it', () =>
  withStore(async (store) => {
    await store.loadLines('own.ndjson', ownLines)
    const gaps = [
      [50, 60],
      [OWN_END - 5, OWN_END + 5],
      [OWN_END + 10, OWN_END + 20],
      [END + 1, END + 2],
    ].map((ends) => ends.map((second) => NOON + second * SECOND))
    const ofGaps: ArchiveFormat = {
      ...archive,
      async *open(_, options) {
        const read: ArchivePart['read'] = async (lines) => {
          const rows = new PolymarketRows(lines, options, { price: 4, size: 6 })
          await rows.begin(CONDITION)
          for (const [from, to] of gaps) {
            rows.gap({ row: 1, token: 'A', receivedMs: from!, venueMs: from! }, 'x', from!, to!)
          }
          return { rows: rows.rows, leftOut: rows.leftOut }
        }
        yield { next: null, read }
      },
    }
    await load(store, null, ofGaps)
    const { head } = (await store.store.catalogue.heads('polymarket', CONDITION))[0]!
    const told = head.gaps.filter(({ source }) => source === 'made').map(({ fromMs, toMs }) => [fromMs, toMs])
    expect(told).toEqual(gaps.slice(1))
  }))

test('an import that was stopped goes on with the part that it came to', () =>
  withStore(async (store) => {
    await load(store, '300')
    const late = await sizesOf(store)
    expect(late).toEqual(ofArchive(240, END + 60))
    await load(store)
    expect(await sizesOf(store)).toEqual(ofArchive(-60, END + 60))
  }))
