// Goal: the rows of a Nautilus catalog equal those that the slow model makes from the same records, whatever a recorder
// may have written.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { nautilusDay, type Row } from '../../test/model/exports/nautilus.ts'
import { loadCaptures } from '../../test/model/model.ts'
import { IS_LONG, seeds } from '../../test/run/effort.ts'
import { allCaptures } from '../../test/support/captures.ts'
import { type ComparedMarket, comparedMarkets, withRandomDays } from '../../test/support/export/compared-days.ts'
import { exportMarket } from '../../test/support/export/export-days.ts'
import {
  type CatalogFile,
  type CatalogType,
  metadataOf,
  readCatalog,
  SCHEMAS,
} from '../../test/support/export/nautilus-reader.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { type AnyStore, withStore } from '../../test/support/store.ts'

const TYPES = Object.keys(SCHEMAS) as CatalogType[]
const UNITS = { '128': 10_000_000_000n, '64': 1_000n }

const instrumentOf = (venue: string, market: string, book: string) =>
  venue === 'kalshi' ? `${market}.KALSHI` : `${market}-${book}.POLYMARKET`

/** Expects that prices and sizes have at most as many digits as the file declares. */
function expectPrecision(file: CatalogFile): void {
  const digitsOf = (name: string) => BigInt(metadataOf(file).get(`${name}_precision`)!)
  const unit = file.fixedBytes === 8 ? 9n : 16n
  for (const row of file.rows) {
    for (const [name, value] of Object.entries(row)) {
      const kind = /(?:^|_)(price|size)$/.exec(name)?.[1]
      if (kind !== undefined) expect([name, (value as bigint) % 10n ** (unit - digitsOf(kind))]).toEqual([name, 0n])
    }
  }
}

/** Compares each type of each book with the model, date by date. */
async function compare(tested: AnyStore, { venue, market, books }: ComparedMarket, precision: '64' | '128') {
  using folder = temporaryFolder()
  const path = `${folder.path}/catalog`
  const report = await exportMarket(tested, {
    ...{ target: 'nautilus', venue, market, folder: path, options: { precision } },
  })
  let rowCount = 0
  for (const book of new Set(books.map((each) => each.book))) {
    const days = books
      .filter((each) => each.book === book)
      .map(({ date, events }) => nautilusDay(events, date, UNITS[precision]))
    const instrument = instrumentOf(venue, market, book)
    for (const type of TYPES) {
      const expected: Row[][] = days.map((day) => day[type]).filter((rows) => rows.length > 0)
      rowCount += expected.flat().length
      const isThere = existsSync(`${path}/data/${type}/${instrument}`)
      expect([type, isThere]).toEqual([type, expected.length > 0])
      const files = isThere ? await readCatalog(path, type, instrument) : []
      expect(files.map(({ rows }) => rows)).toEqual(expected)
      for (const file of files) {
        expect(file.fixedBytes).toBe(Number(precision) / 8)
        expect(metadataOf(file).get('instrument_id')).toBe(instrument)
        expectPrecision(file)
      }
    }
  }
  expect(report.rows).toBeGreaterThanOrEqual(rowCount)
  return rowCount
}

test.each(seeds(1, 4, 32))('a capture by chance, seed %d', async (seed) => {
  await withRandomDays(seed, async (tested, markets) => {
    for (const market of markets) await compare(tested, market, seed % 4 === 0 ? '64' : '128')
  })
})

/** Matches the raw captures that the model reads quickly. The slowest, a `jokic-` file, is only for long runs. */
const READ = /polymarket\/(?!changes)|AUG102000-00|kalshi-frames/
const REAL = allCaptures().filter((file) => READ.test(file) && (IS_LONG || !file.includes('/jokic-')))

test.each(REAL)('a real capture: %s', async (file) => {
  const model = loadCaptures([file], Date.now())
  await withStore(async (tested) => {
    await tested.load(file)
    let rowCount = 0
    for (const market of await comparedMarkets(tested, model)) rowCount += await compare(tested, market, '128')
    expect(rowCount).toBeGreaterThan(model.recordCount() > 0 ? 0 : -1)
  })
})
