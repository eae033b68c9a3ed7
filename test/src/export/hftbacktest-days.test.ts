// Goal: rows of hftbacktest equal the rows that the slow model makes from the same records. They pass the checks of
// hftbacktest's own validation. numpy reads them.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { BookEvent } from '../../model/exports/book-events.ts'
import { hftbacktestDay } from '../../model/exports/hftbacktest.ts'
import { loadCaptures } from '../../model/model.ts'
import { seeds } from '../../run/effort.ts'
import { allCaptures } from '../../support/captures.ts'
import { type ComparedBook, comparedMarkets, withRandomDays } from '../../support/export/compared-days.ts'
import { exportMarket } from '../../support/export/export-days.ts'
import { type NpzRow, readNpz } from '../../support/export/npz-reader.ts'
import { temporaryFolder } from '../../support/server.ts'
import { type AnyStore, withStore } from '../../support/store.ts'

const [EXCHANGE, LOCAL] = [1n << 31n, 1n << 30n]
const ORDERS = EXCHANGE | LOCAL

type Sidecar = Record<string, number | string>

const ascends = (rows: NpzRow[], name: string) =>
  rows.every((row, i) => i === 0 || (rows[i - 1]![name] as bigint) <= (row[name] as bigint))

/** Expects rows that pass hftbacktest's own validation, and that its readers can use. */
function expectValid(rows: NpzRow[]): void {
  const of = (bit: bigint) => rows.filter((row) => ((row['ev'] as bigint) & bit) !== 0n)
  expect(of(ORDERS)).toHaveLength(rows.length)
  expect(ascends(of(EXCHANGE), 'exch_ts')).toBe(true)
  expect(ascends(of(LOCAL), 'local_ts')).toBe(true)
  for (const { ev, exch_ts, local_ts, px, qty, ...unused } of rows) {
    expect(local_ts as bigint).toBeGreaterThanOrEqual(exch_ts as bigint)
    expect([1n, 2n, 3n, 4n]).toContain((ev as bigint) & 0xffn)
    expect([px, qty].every((value) => Number.isFinite(value) && (value as number) >= 0)).toBe(true)
    expect(unused).toEqual({ order_id: 0n, ival: 0n, fval: 0 })
  }
}

async function compare(tested: AnyStore, books: ComparedBook[]): Promise<number> {
  const [{ venue, market }] = books as [ComparedBook]
  using folder = temporaryFolder()
  await exportMarket(tested, { target: 'hftbacktest', venue, market, folder: `${folder.path}/events` })
  let rowCount = 0
  for (const { date, book, events } of books) {
    const path = `${folder.path}/events/${venue}/${book}_${date.replaceAll('-', '')}`
    const rows = readNpz(readFileSync(`${path}.npz`))
    const sidecar = (await Bun.file(`${path}.json`).json()) as Sidecar
    expectValid(rows)
    const expected = hftbacktestDay(events)
    const inOrder = (bit: bigint) =>
      rows
        .filter((row) => ((row['ev'] as bigint) & bit) !== 0n)
        .map(({ ev, exch_ts, local_ts, px, qty }) => ({ ev: (ev as bigint) & ~ORDERS, exch_ts, local_ts, px, qty }))
    expect(inOrder(EXCHANGE)).toEqual(expected.exchange)
    expect(inOrder(LOCAL)).toEqual(expected.local)
    expect(sidecar).toMatchObject({ venue, market, book, date, rows: rows.length })
    expect(sidecar['rows_twice']).toBe(rows.length - expected.exchange.length)
    expect(sidecar['trades']).toBe(events.filter(({ kind }) => kind === 'trade').length)
    const isUnseen = ({ kind, book }: BookEvent) => kind === 'change' && book.trust !== 'established'
    expect(sidecar['changes_of_unseen_book']).toBe(events.filter(isUnseen).length)
    rowCount += rows.length
  }
  return rowCount
}

describe('rows equal those of the model', () => {
  test.each(seeds(1, 4, 32))('a random capture, seed %d', async (seed) => {
    await withRandomDays(seed, async (tested, markets) => {
      for (const { books } of markets) await compare(tested, books)
    })
  })

  /** Raw captures that the slow model can read in a short time. */
  const real = allCaptures().filter((file) => /polymarket\/(?!changes|gamma)|AUG102000-00|kalshi-frames/.test(file))

  test.each(real)('a real capture: %s', async (file) => {
    const model = loadCaptures([file], Date.now())
    await withStore(async (tested) => {
      await tested.load(file)
      let rowCount = 0
      for (const { books } of await comparedMarkets(tested, model)) rowCount += await compare(tested, books)
      expect(rowCount).toBeGreaterThan(0)
    })
  })
})
