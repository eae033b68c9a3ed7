// Goal: the events of an hour of pendulumflow v3, which are stored in row groups by type, come back in the order in
// which they were received; where another recorder takes over, the book is unknown until its next snapshot.

import { describe, expect, test } from 'bun:test'
import { loadArchive } from '../../../test/model/model.ts'
import { imported, LOADED_AT, Stopped } from '../../../test/support/archives/imported.ts'
import { MemoryFile } from '../../../test/support/archives/parquet-bytes.ts'
import {
  bytesOfGroups,
  type FileOptions,
  type PendulumflowRow,
  pendulumflowBytes,
  receivedRows,
} from '../../../test/support/archives/pendulumflow-rows.ts'
import { marketNamed, pmxtLine } from '../../../test/support/archives/pmxt-rows.ts'
import { serveRanges } from '../../../test/support/archives/range-server.ts'
import { withStore } from '../../../test/support/store.ts'
import { expectSameRecords } from '../../../test/workers/load/model-comparison.ts'
import { Random } from '../../synthetic/random.ts'
import { openByteFile } from '../byte-file.ts'
import { pendulumflowOf, pendulumflowV3 } from './pendulumflow-v3.ts'

/** Number of bytes that are requested first, for the footer. */
const FOOTER_FETCHED = 64 << 10

const lineOf = (row: PendulumflowRow): string[] => (row.type === 'best_bid_ask' ? [] : [pmxtLine(row)!])
const modelOf = (rows: readonly PendulumflowRow[]) =>
  loadArchive(pendulumflowV3.source, rows.flatMap(lineOf), LOADED_AT)
const file = (rows: readonly PendulumflowRow[], options?: FileOptions) =>
  new MemoryFile(pendulumflowBytes(rows, options))
const rowsOf = (seed: number) => receivedRows(new Random(seed, 'pendulumflow'), 4, 90)

const DIFFERENCES = { timestamp_received: 'DELTA_BINARY_PACKED', sequence: 'DELTA_BINARY_PACKED' } as const

describe('all rows', () => {
  test.each<[string, number, FileOptions]>([
    ['in one row group a type', 1, {}],
    ['in row groups of 40', 2, { groupRows: 40 }],
    ['in row groups of 7', 3, { groupRows: 7 }],
    ['in small pages', 4, { pageSize: 100 }],
    ['in a file without columns that nothing is made of', 5, { without: ['spread', 'id', 'witness_set', 'question'] }],
    ['with times and sequences as differences', 6, { encodings: DIFFERENCES }],
  ])('%s', (_, seed, options) =>
    withStore(async (store) => {
      const rows = rowsOf(seed)
      const best = rows.filter(({ type }) => type === 'best_bid_ask').length
      const { report } = await imported(store, pendulumflowV3, file(rows, options))
      expect(report).toMatchObject({ rows: rows.length, messages: rows.length - best, rejected: 0 })
      expect(report.skipped).toEqual({ best_bid_ask: best })
      await expectSameRecords(store, modelOf(rows))
    }),
  )
})

test.each([10, 11])('an import that is stopped after any part and resumed equals one import, seed %d', (seed) =>
  withStore(async (store) => {
    const rows = rowsOf(seed)
    const hour = file(rows, { groupRows: 50 })
    const format = pendulumflowOf(100)
    let after: string | null = null
    let parts = 0
    do {
      const stop: unknown = await imported(store, format, hour, { after, stopAfter: 1 }).catch((error) => error)
      if (!(stop instanceof Stopped)) throw stop
      after = stop.places[0]!
      parts++
    } while (after !== null)
    expect(parts).toBeGreaterThan(3)
    store.store.refresh()
    await expectSameRecords(store, modelOf(rows))
  }),
)

test('after another recorder took over, changes wait for the next snapshot', () =>
  withStore(async (store) => {
    const rows = rowsOf(20).filter(({ market }) => market === marketNamed(0))
    const takenOver = rows.map((row, i) => (i < rows.length / 2 ? row : { ...row, witness: 'c', generation: 1 }))
    const { report } = await imported(store, pendulumflowV3, file(takenOver))
    const { lines, leftOut, best } = inSegments(takenOver)
    expect(leftOut).toBeGreaterThan(0)
    expect(report.skipped).toEqual({ source_witness: leftOut, best_bid_ask: best })
    await expectSameRecords(store, loadArchive(pendulumflowV3.source, lines, LOADED_AT))
  }))

/** Orders the rows by book: the rows of `a` and `c` are never mixed. */
function inSegments(rows: readonly PendulumflowRow[]) {
  const lines: string[] = []
  let leftOut = 0
  let best = 0
  const books = new Map<string, { witness: string; isLost: boolean }>()
  for (const [i, row] of rows.entries()) {
    const book = books.get(row.token) ?? { witness: row.witness, isLost: false }
    books.set(row.token, book)
    if (row.type === 'book') Object.assign(book, { witness: row.witness, isLost: false })
    const isOther = row.witness !== book.witness
    if (row.type === 'price_change' && isOther) book.isLost = true
    if ((row.type === 'price_change' && book.isLost) || (row.type === 'best_bid_ask' && (book.isLost || isOther))) {
      leftOut++
      continue
    }
    lines.push(...lineOf(row))
    if (row.type === 'best_bid_ask') best++
    const gap = gapAfter(rows, i)
    if (gap !== undefined) lines.push(JSON.stringify(gap))
  }
  return { lines, leftOut, best }
}

/** Returns the gap after the first recorder's last row of a book, until the next snapshot of the book. */
function gapAfter(rows: readonly PendulumflowRow[], i: number): object | undefined {
  const { token, market, witness, type, received } = rows[i]!
  if (witness !== 'a' || (type !== 'book' && type !== 'price_change')) return undefined
  const later = rows.slice(i + 1).filter((row) => row.token === token && /^(book|price_change)$/.test(row.type))
  if (later[0] === undefined || later[0].witness === 'a' || later[0].type === 'book') return undefined
  const to = (later.find((row) => row.type === 'book') ?? later.at(-1)!).received
  const msg = { reason: 'source_witness', from: received, to }
  return { type: 'gap', venue: 'polymarket', recv_ms: to, market, asset_id: token, msg }
}

describe('one market of a file behind a URL', () => {
  const rows = receivedRows(new Random(30, 'pendulumflow'), 100, 60)
  const bytes = pendulumflowBytes(rows, { groupRows: 40 })
  const market = marketNamed(61)

  test('requests only the footer and the row groups of the market, less than 3 % of the file', () =>
    withStore(async (store) => {
      await using served = serveRanges(bytes)
      const { report } = await imported(store, pendulumflowV3, await openByteFile(served.url), { markets: [market] })
      const wanted = rows.filter((row) => row.market === market)
      expect(report.rows).toBe(wanted.length)
      await expectSameRecords(store, modelOf(wanted))
      const ofColumns = served.ranges.filter(([, end]) => end < bytes.length - FOOTER_FETCHED)
      const fetched = ofColumns.reduce((sum, [start, end]) => sum + end - start, 0)
      expect(fetched / bytes.length).toBeLessThan(0.03)
      expect(served.ranges.length - ofColumns.length).toBeLessThanOrEqual(4)
    }))
})

test('venue events that the archive stores only in part are counted, not rebuilt', () =>
  withStore(async (store) => {
    const rows = rowsOf(40)
    const withOtherTypes = [
      ...rows,
      ...rows.slice(0, 7).map((row) => ({ ...row, type: 'new_market' })),
      ...rows.slice(0, 2).map((row) => ({ ...row, type: 'market_resolved' })),
    ]
    const { report } = await imported(store, pendulumflowV3, file(withOtherTypes))
    expect(report.rows).toBe(withOtherTypes.length)
    expect(report.skipped).toMatchObject({ new_market: 7, market_resolved: 2 })
    await expectSameRecords(store, modelOf(rows))
  }))

test.each(['sequence', 'source_witness', 'bids', 'price', 'market'])('without a column %s it is refused', (name) =>
  withStore(async (store) => {
    const hour = file(rowsOf(41), { without: [name] })
    await expect(imported(store, pendulumflowV3, hour)).rejects.toThrow(`has no column ${name}`)
  }),
)

test('a type in two places is refused', () =>
  withStore(async (store) => {
    const [first, second] = [rowsOf(42), rowsOf(43)].map((rows) => rows.filter(({ type }) => type === 'price_change'))
    const between = rowsOf(44).filter(({ type }) => type === 'book')
    const hour = new MemoryFile(bytesOfGroups([first!, between, second!]))
    await expect(imported(store, pendulumflowV3, hour)).rejects.toThrow('has rows of price_change in two places')
  }))
