// long: whole days go through several formats
// An import of what `export --to tardis` writes of Polymarket gives the same books, trades and times: exported again,
// it has the same trades, and the same book at every moment.

import { expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tardisBook } from '../../../workers/import/formats/tardis/tardis-book.ts'
import { tardisTrades } from '../../../workers/import/formats/tardis/tardis-trades.ts'
import { booksOf } from '../../model/import/tardis.ts'
import { seeds } from '../../run/effort.ts'
import { allCaptures, capture } from '../../support/captures.ts'
import { enrichedLines } from '../../support/compare/enriched-lines.ts'
import { exportMarket } from '../../support/export/export-days.ts'
import { importFile } from '../../support/import/import-text.ts'
import { temporaryFolder } from '../../support/server.ts'
import { type TestStore, withStore } from '../../support/store.ts'

const CAPTURE_BYTES_MAX = 150_000

async function exported(store: TestStore, folder: string): Promise<Map<string, string>> {
  const { markets } = await store.store.catalogue.markets('polymarket', { prefix: '', offset: 0, limit: 100 })
  const files = new Map<string, string>()
  for (const market of markets) {
    await exportMarket(store, { target: 'tardis', venue: 'polymarket', market, folder: join(folder, market) })
    for (const path of readdirSync(join(folder, market), { recursive: true, encoding: 'utf8' }).sort()) {
      if (!path.endsWith('.csv.gz')) continue
      const bytes = await Bun.file(join(folder, market, path)).bytes()
      files.set(`${market} ${path}`, new TextDecoder().decode(Bun.gunzipSync(bytes)))
    }
  }
  return files
}

async function readBack(store: TestStore): Promise<number> {
  using folder = temporaryFolder()
  const files = await exported(store, folder.path)
  await withStore(async (other) => {
    for (const name of files.keys()) {
      const [market, path] = name.split(' ')
      const format = { incremental_book_L2: tardisBook, trades: tardisTrades }[path!.split('/')[1]!]
      if (format === undefined) continue
      const report = await importFile(other, format, join(folder.path, market!, path!), { markets: [market!] })
      expect([name, report.rejects]).toEqual([name, []])
    }
    using again = temporaryFolder()
    const filesAgain = await exported(other, again.path)
    for (const name of files.keys()) {
      const [before, after] = [files, filesAgain].map((of) => of.get(name) ?? '')
      if (name.includes('/trades/')) expect([name, await storedTrades(other, name)]).toEqual([name, rowsOf(before!)])
      if (name.includes('/incremental_book_L2/')) expect([name, booksAt(after!)]).toEqual([name, booksAt(before!)])
    }
  })
  return [...files.values()].reduce((rows, text) => rows + text.split('\n').length - 2, 0)
}

const rowsOf = (text: string) => text.split('\n').slice(1, -1)

type TradeMsg = { timestamp: string; transaction_hash?: string; side?: string; price: string; size: string }

const idCell = (id: string | undefined) => (id === '' ? '""' : (id ?? ''))

/** Returns the stored trades as rows of the file with this name. */
async function storedTrades(store: TestStore, name: string): Promise<string[]> {
  const [, market, date, book] = /^(\S+) .*\/trades\/(....\/..\/..)\/(.+)\.csv\.gz$/.exec(name)!
  // A file may be without rows.
  if ((await store.store.catalogue.market('polymarket', market!)) === undefined) return []
  const records = await store.records('polymarket', market!, date!.replaceAll('/', '-'))
  const trades = records.filter(({ type, asset_id = book }) => type === 'trade' && asset_id === book)
  return trades.map(({ received_at, msg }) => {
    const { timestamp, transaction_hash, side = 'unknown', price, size } = msg as TradeMsg
    const cells = [idCell(transaction_hash), side.toLowerCase(), price, size]
    return ['polymarket', book, `${timestamp}000`, `${received_at}000`, ...cells].join()
  })
}

/** Returns the book after each ms of receipt, Unix ms. An export repeats the first book of a day if that book came from
 *  such a file, so the rows themselves may differ. */
const booksAt = (text: string) =>
  new Map(booksOf(text).map(({ local, books }) => [Math.floor(Number(local) / 1_000), books]))

const CAPTURES = allCaptures().filter((file) => {
  const isOfPolymarket = /\/polymarket\/(?!gamma)/.test(file)
  return isOfPolymarket && statSync(file).size <= CAPTURE_BYTES_MAX
})

test.each(CAPTURES.map((file) => [file.slice(capture('').length), file]))('%s', (_, file) =>
  withStore(async (store) => {
    await store.load(file)
    await readBack(store)
  }),
)

test.each(seeds(1, 5, 48))('a random capture, seed %i', (seed) =>
  withStore(async (store) => {
    const lines = enrichedLines(seed, true, 150).filter((line) => !line.includes('"gap"'))
    await store.loadLines('capture.ndjson', lines)
    expect(await readBack(store)).toBeGreaterThan(30)
  }),
)
