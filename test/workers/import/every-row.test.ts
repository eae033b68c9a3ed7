// An import loads every row of a file, whatever the user's own recording holds. Importing it again changes nothing.

import { expect, test } from 'bun:test'
import type { ArchiveFormat } from '../../../workers/import/archive.ts'
import type { ByteFile } from '../../../workers/import/byte-file.ts'
import { importArchive } from '../../../workers/import/import-archive.ts'
import { PolymarketRows } from '../../../workers/import/rows/polymarket-rows.ts'
import { book, CONDITION, DAY, NOON, NOW, priceChange } from '../../model/lines.ts'
import { type TestStore, withStore } from '../../support/store.ts'

const SECOND = 1_000
/** Last second of the own records, in seconds after noon; they begin at 0. The archive has records from -60 to 660. */
const END = 600
const FILE: ByteFile = {
  name: 'hour.parquet',
  byteLength: 1,
  slice: () => Promise.resolve(new ArrayBuffer(0)),
  sha256: () => Promise.resolve(null),
  close: () => {},
}

const seconds = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const ROWS = seconds(-60, END + 60)

/** An archive in parts of 100 rows. Every tenth row is a trade, and the first part holds a gap. */
const archive: ArchiveFormat = {
  ...{
    name: 'made',
    description: '',
    source: 'made',
    clock: 'batch',
    order: 'file',
    hashStored: false,
    isRebuilt: true,
  },
  ...{ licence: 'CC0', attribution: null },
  async *open(_, options) {
    for (let start = Number(options.after ?? 0); start < ROWS.length; start += 100) {
      yield {
        next: start + 100 < ROWS.length ? String(start + 100) : null,
        read: async (lines) => {
          const rows = new PolymarketRows(lines, options, { price: 4, size: 6 })
          rows.begin(CONDITION)
          for (const second of ROWS.slice(start, start + 100)) {
            const ms = NOON + second * SECOND
            const place = { row: second + 61, token: 'A', receivedMs: ms + 7, venueMs: ms }
            const row = { side: 'BUY' as const, price: 4_000, size: (7_000 + second) * 1_000_000 }
            if (second === GAP_AT) rows.gap(place, 'x', ms, ms + 10 * SECOND)
            if (second % 10 === 0) rows.trade(place, { ...row, feeBps: Number.NaN, transaction: new Uint8Array(0) })
            else rows.change(place, { ...row, bestBid: 4_000, bestAsk: Number.NaN })
          }
          return { rows: rows.rows }
        },
      }
    }
  },
}

const GAP_AT = 20

const load = (store: TestStore, after: string | null = null) =>
  importArchive(store.store, store.folder, archive, FILE, {
    ...{ markets: null, repairs: new Set(), source: 'made', after, loadingMs: NOW },
    onPart: async () => {},
    onProgress: () => {},
  })

const sizesOf = async (store: TestStore) =>
  (await store.records('polymarket', CONDITION, DAY)).flatMap(({ type, msg }) => {
    if (type === 'gap') return []
    const [entry] = 'price_changes' in msg ? (msg.price_changes as { size: string }[]) : [msg]
    return [(entry as { size: string }).size]
  })

const sizes = (from: number, to: number) => seconds(from, to).map((second) => String(7_000 + second))

test('over an own recording without a gap every change, trade and gap of the archive is loaded, once', () =>
  withStore(async (store) => {
    const changes = seconds(1, END).map((second) => priceChange(second * SECOND, { price: '0.4', size: `${second}` }))
    const trade = { event_type: 'last_trade_price', market: CONDITION, asset_id: 'A', price: '0.4', size: '3' }
    const own = [book(0, [['0.4', '5']], []), ...changes, { ...trade, side: 'BUY', timestamp: String(NOON + 2) }]
    await store.loadLines(
      'own.ndjson',
      own.map((line) => JSON.stringify(line)),
    )
    const [rows, records] = [ROWS.length, ROWS.length + 1]
    expect(await load(store)).toMatchObject({ rows, used: rows, messages: records, recordsAdded: records })
    expect(await load(store)).toMatchObject({ rows, messages: records, recordsAdded: 0 })
  }))

test('an import that was stopped resumes with the part that it had reached', () =>
  withStore(async (store) => {
    await load(store, '300')
    expect(await sizesOf(store)).toEqual(sizes(240, END + 60))
    await load(store)
    expect(await sizesOf(store)).toEqual(sizes(-60, END + 60))
  }))
