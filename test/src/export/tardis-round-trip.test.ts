// Goal: a day of Polymarket that is exported as Tardis' files and imported again has the same answers.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openByteFile } from '../../../workers/import/byte-file.ts'
import { formatNamed } from '../../../workers/import/formats/registry.ts'
import { importArchive } from '../../../workers/import/import-archive.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import type { FlatRow } from '../../support/compare/row-formats.ts'
import { storeAsk } from '../../support/compare/store-ask.ts'
import { exportMarket } from '../../support/export/export-days.ts'
import { temporaryFolder } from '../../support/server.ts'
import { type TestStore, withStore } from '../../support/store.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const DATE = '2026-07-20'
const DAY = syntheticDay({ date: DATE, kalshiRecords: 0, polymarketRecords: 1_000 })

async function importAll(store: TestStore, folder: string, market: string): Promise<void> {
  for (const [format, type] of [
    ['tardis-book', 'incremental_book_L2'],
    ['tardis-trades', 'trades'],
  ] as const) {
    const files = join(folder, 'polymarket', type, ...DATE.split('-'))
    for (const name of readdirSync(files)) {
      const file = await openByteFile(join(files, name))
      const report = await importArchive(store.store, store.folder, formatNamed(format)!, file, {
        ...{ markets: new Set([market]), repairs: new Set(), source: 'tardis', after: null, loadingMs: NOW },
        onPart: async () => {},
        onProgress: () => {},
      })
      file.close()
      expect(report.rejects).toEqual([])
      store.store.refresh()
    }
  }
}

type Answers = { depth: FlatRow[]; trades: FlatRow[] }

/** Returns the depth at the end of each minute with a quote, and the trades without their record numbers. Replaces
 *  the trust `doubtful`: only sequence numbers make a book of the day doubtful, and Tardis' files have none. */
async function answersOf(store: TestStore, market: string, book: string): Promise<Answers> {
  const ask = storeAsk(store, NOW)
  const query = { condition_id: market, asset_id: book, date: DATE }
  const depth = await ask('/polymarket/market/depth-summary', { ...query, resolution: '60', fill: 'none' })
  const trades = await ask('/polymarket/market/trades', { ...query, limit: '100000' })
  return {
    depth: (depth.data as FlatRow[]).map((row) => ({
      ...row,
      trust: row['trust'] === 'doubtful' ? 'established' : row['trust']!,
    })),
    trades: (trades.data as FlatRow[]).map(({ record: _, ...trade }) => trade),
  }
}

test('a day of both tokens', () =>
  withStore(async (store) => {
    using folder = temporaryFolder()
    const market = DAY.conditionId
    await store.loadLines('day', [...DAY.polymarketLines])
    await exportMarket(store, { target: 'tardis', venue: 'polymarket', market, folder: folder.path })
    await withStore(async (read) => {
      await importAll(read, folder.path, market)
      for (const token of DAY.assetIds) {
        const [before, after] = [await answersOf(store, market, token), await answersOf(read, market, token)]
        expect(before.trades.length + before.depth.length).toBeGreaterThan(100)
        expect(after).toEqual(before)
      }
    })
  }))
