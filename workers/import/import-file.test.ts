// Goal: the store has the origin and the progress of each imported file; a stopped import resumes, and nothing is
// counted twice.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { CONDITION, DAY, NOON } from '../../test/model/lines.ts'
import { type TestStore, withStore } from '../../test/support/store.ts'
import { deleteSource } from '../remove/delete-source.ts'
import type { ArchiveFormat } from './archive.ts'
import { ArchiveFault } from './archive-fault.ts'
import { openByteFile } from './byte-file.ts'
import { type FileChoice, importFile } from './import-file.ts'
import { PolymarketRows } from './rows/polymarket-rows.ts'

const ROWS = 250
const CHOICE: FileChoice = {
  ...{ source: 'made', licence: 'CC0', attribution: 'a publisher', markets: null, repairs: new Set(), again: false },
}

/** An archive with rows of one market, 1 s apart, in parts of 100. A read of row `brokenAt` fails. */
const archive = (brokenAt = Number.POSITIVE_INFINITY): ArchiveFormat => ({
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
  async *open(file, options) {
    for (let start = Number(options.after ?? 0); start < ROWS; start += 100) {
      yield {
        next: start + 100 < ROWS ? String(start + 100) : null,
        read: async (lines) => {
          const rows = new PolymarketRows(lines, options, { price: 4, size: 6 })
          rows.begin(CONDITION)
          for (let row = start; row < Math.min(start + 100, ROWS); row++) {
            if (row >= brokenAt) throw new ArchiveFault(file.name, 'is broken')
            const ms = NOON + row * 1_000
            const place = { row, token: 'A', receivedMs: ms, venueMs: ms }
            const best = { bestBid: Number.NaN, bestAsk: Number.NaN }
            rows.change(place, { side: 'BUY', price: 4_000, size: (row % 5) * 1_000_000, ...best })
          }
          return { rows: rows.rows }
        },
      }
    }
  },
})

async function load(store: TestStore, format: ArchiveFormat, choice: Partial<FileChoice> = {}) {
  const path = join(store.folder, 'hour.parquet')
  await Bun.write(path, 'bytes')
  const file = await openByteFile(path)
  try {
    return await importFile(store.store, store.folder, format, file, { ...CHOICE, ...choice }, () => {})
  } finally {
    file.close()
    store.store.refresh()
  }
}

const recordsOf = async (store: TestStore) => (await store.records('polymarket', CONDITION, DAY)).length

test('stores a full description of a file, and loads the file once', () =>
  withStore(async (store) => {
    const { load: loadRecord } = await load(store, archive())
    expect(loadRecord).toMatchObject({ source: 'made', bytes: 5, rows: ROWS, records: ROWS, checkpoint: null })
    expect(loadRecord.sha256).toBe(new Bun.CryptoHasher('sha256').update('bytes').digest('hex'))
    expect(await store.store.catalogue.loads()).toEqual([loadRecord])
    const again = await load(store, archive())
    expect(again).toMatchObject({ report: null, before: loadRecord.finishedAt })
  }))

test.each([
  ['https://me:secret@archive.example/a b.parquet?hour=12', 'https://archive.example/a%20b.parquet?hour=12'],
  ['https://archive.example/a b.parquet?hour=12', 'https://archive.example/a b.parquet?hour=12'],
  ['https://b.s3.example/a?X-Amz-Date=1&X-Amz-Signature=ab&hour=12', 'https://b.s3.example/a?hour=12'],
  ['https://b.blob.example/a?sv=2026&se=1&sp=r&sr=b&sig=ab', 'https://b.blob.example/a'],
  ['https://archive.example/a?api_key=secret&access_token=ab&monkey=1', 'https://archive.example/a?monkey=1'],
  ['me:secret@archive.example.parquet', 'me:secret@archive.example.parquet'],
])('stores no password or signature of a URL: %s', (name, storedName) =>
  withStore(async (store) => {
    const bytes = { byteLength: 5, slice: () => Promise.reject(new Error()), close: () => {} }
    const file = { name, ...bytes, sha256: () => Promise.resolve('ab'.repeat(32)) }
    await importFile(store.store, store.folder, archive(), file, CHOICE, () => {})
    store.store.refresh()
    const [load] = await store.store.catalogue.loads()
    expect([load?.file, load?.url]).toEqual([storedName, storedName.startsWith('https') ? storedName : null])
  }),
)

test.each([
  [{ licence: 'x'.repeat(4_097) }, 'a text about a file may have at most 4096 characters, not 4097: "xxxx'],
  [
    { markets: new Set(Array.from({ length: 1_001 }, (_, i) => `${i}`)) },
    'at most 1000 markets may be chosen, not 1001',
  ],
])('reports what a store cannot hold before anything is loaded', (choice, why) =>
  withStore(async (store) => {
    await expect(load(store, archive(), choice)).rejects.toThrow(why)
    expect(await store.store.catalogue.loads()).toEqual([])
  }),
)

test('imports a file again on request: nothing is new', () =>
  withStore(async (store) => {
    await load(store, archive())
    const { report } = await load(store, archive(), { again: true })
    expect(report).toMatchObject({ rows: ROWS, recordsAdded: 0 })
  }))

test('a stopped import resumes after the parts that are stored', () =>
  withStore(async (store) => {
    await expect(load(store, archive(150))).rejects.toThrow('is broken')
    store.store.refresh()
    const [stopped] = await store.store.catalogue.loads()
    expect(stopped).toMatchObject({ rows: 100, checkpoint: '100', finishedAt: null })
    expect(await recordsOf(store)).toBe(100)
    const { report, load: loadRecord } = await load(store, archive())
    expect([report?.rows, loadRecord.rows, loadRecord.records]).toEqual([150, ROWS, ROWS])
    expect(loadRecord.startedAt).toBe(stopped!.startedAt)
    expect(await recordsOf(store)).toBe(ROWS)
  }))

test('an archive that was taken out can be loaded again', () =>
  withStore(async (store) => {
    await load(store, archive())
    await deleteSource(store.store, { venue: 'polymarket', market: CONDITION }, 'made')
    await store.store.catalogue.removeLoads('made')
    store.store.refresh()
    expect(await store.dates('polymarket', CONDITION)).toEqual([])
    const { report } = await load(store, archive())
    expect(report).toMatchObject({ recordsAdded: ROWS })
  }))
