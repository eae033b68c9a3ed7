// Changes that are passed on as values are stored byte for byte as their lines would be. A change with an unusual value
// is read from its line.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadBlock } from '../../block/block-builder.ts'
import type { CapturePart, RowReader } from '../../load/capture-reading.ts'
import { readCapture } from '../../load/read-capture.ts'
import { Random } from '../../synthetic/random.ts'
import { PolymarketRows } from './polymarket-rows.ts'
import type { RowChange, RowPlace } from './row-values.ts'

const NOON = Date.parse('2026-05-22T12:00:00Z')
const LOADED_AT = Date.parse('2026-06-01T00:00:00Z')
const MARKETS = 6

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backbook-values-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

type ChangeRow = { market: string; place: RowPlace; change: RowChange | null }
type Scales = { price: number; size: number }

/** Returns changes, of which the share `oddShare` has an unusual value. */
function rowsOf(seed: number, oddShare: number): ChangeRow[] {
  const random = new Random(seed, 'change-values')
  const odd = (usual: number, ...unusual: number[]) => (random.chance(oddShare) ? random.pick(unusual) : usual)
  return Array.from({ length: MARKETS }, (_, number) => {
    const market = `0x${String(number + seed).padStart(64, '0')}`
    const tokens = [`${10n ** 76n + BigInt(number)}`, `${2n * 10n ** 76n + BigInt(number)}`, '7']
    if (random.chance(oddShare)) tokens.push('no \\"number', '')
    return Array.from({ length: 60 }, (_, i): ChangeRow => {
      const at = NOON + 1_000 * i
      const place = {
        ...{ row: i + 1, token: random.chance(0.9) ? tokens[i % 2]! : random.pick(tokens) },
        receivedMs: odd(at + 40, Number.NaN, at + 2 * 3_600_000),
        venueMs: odd(at, Number.NaN, 0, at / 1_000, at + 86_400_000, NOON - 40 * 86_400_000),
      }
      const change = (): RowChange => ({
        side: random.chance(0.5) ? 'BUY' : 'SELL',
        price: 10 * random.between(0, 1_000),
        size: odd(10 ** random.between(0, 6) * random.between(0, 90), 1e15, 2 ** 52, 123_456_789_012_345),
        bestBid: odd(10 * random.between(0, 500), Number.NaN, -10),
        bestAsk: odd(10 * random.between(500, 1_000), Number.NaN),
      })
      return { market, place, change: random.chance(0.05) ? null : change() }
    })
  }).flat()
}

async function writeRows(rows: readonly ChangeRow[], lines: RowReader, scales: Scales): Promise<void> {
  const options = {
    ...{ markets: null, after: null, repairs: new Set<never>() },
    ...{ onMarket: () => {}, marketOf: async () => null },
  }
  const polymarketRows = new PolymarketRows(lines, options, scales)
  let last = ''
  for (const { market, place, change } of rows) {
    if (market !== last) polymarketRows.begin(market)
    last = market
    const side = { prices: [1_000, 2_000], sizes: [5, 6] }
    if (change === null) polymarketRows.book(place, side, { prices: [9_000], sizes: [7] })
    else polymarketRows.change(place, change)
  }
}

type Loaded = { days: unknown[]; rejects: unknown[]; messages: number; asValues: number }

async function loaded(
  rows: readonly ChangeRow[],
  isPrinted: boolean,
  scales: Scales,
  marketsAtOnce = MARKETS,
): Promise<Loaded> {
  let asValues = 0
  const days: unknown[] = []
  const keep = async ({ partitions, files }: CapturePart) => {
    for (const { blocks, ...day } of partitions) {
      days.push({ ...day, blocks: blocks.map((block) => Buffer.from(loadBlock(block)).toString('base64')) })
    }
    for (const file of files) closeSync(file)
  }
  const end = await readCapture(
    {
      ...{ folder, path: 'rows', loadingMs: LOADED_AT, threads: 1, marketsAtOnce, isByMarket: true },
      ...{ onProgress: () => {}, source: 'test' },
      writeLines: (lines) =>
        writeRows(
          rows,
          {
            ...lines,
            values: (...message) => {
              const isTaken = !isPrinted && lines.values(...message)
              if (isTaken) asValues++
              return isTaken
            },
          },
          scales,
        ),
    },
    keep,
  )
  return { days, rejects: end.rejects, messages: end.messages, asValues }
}

async function expectSame(rows: readonly ChangeRow[], scales: Scales, marketsAtOnce = MARKETS): Promise<number> {
  const [{ asValues, ...taken }, { asValues: none, ...printed }] = [
    await loaded(rows, false, scales, marketsAtOnce),
    await loaded(rows, true, scales, marketsAtOnce),
  ]
  expect(none).toBe(0)
  expect(taken).toEqual(printed)
  return asValues
}

const USUAL = { price: 4, size: 6 }

describe('stored as printed', () => {
  test('usual rows: a change is printed only if it is the first row of its market', async () => {
    const rows = rowsOf(1, 0)
    const isFirst = ({ market }: ChangeRow, i: number) => market !== rows[i - 1]?.market
    const values = rows.filter((row, i) => row.change !== null && !isFirst(row, i))
    expect(await expectSame(rows, USUAL)).toBe(values.length)
  })

  test.each([2, 3, 4, 5, 6, 7, 8, 9])('with odd times, sizes and tokens, seed %i', async (seed) => {
    expect(await expectSame(rowsOf(seed, 0.15), USUAL)).toBeGreaterThan(0)
  })

  test.each([
    ['whole prices and sizes', { price: 0, size: 0 }],
    ['six places', { price: 6, size: 2 }],
    ['twelve places', { price: 4, size: 12 }],
  ])('of %s', async (_, scales) => {
    expect(await expectSame(rowsOf(10, 0.1), scales)).toBeGreaterThan(0)
  })

  test('but for more places than are stored as numbers', async () => {
    expect(await expectSame(rowsOf(11, 0), { price: 4, size: 13 })).toBe(0)
  })

  test('of more tokens than a market has', async () => {
    const market = `0x${'13'.repeat(32)}`
    const of = (place: RowPlace, i: number) => ({ ...place, token: `${i % 100}`, row: i + 1 })
    const rows = rowsOf(13, 0).map(({ place, change }, i) => ({ market, place: of(place, i), change }))
    const asValues = await expectSame(rows, USUAL)
    expect(asValues).toBeGreaterThan(0)
    expect(asValues).toBeLessThan(rows.filter(({ change }) => change !== null).length)
  })

  test('of more markets than there is memory for', async () => {
    const few = await expectSame(rowsOf(12, 0.1), USUAL, 2)
    expect(few).toBeGreaterThan(0)
    expect(few).toBeLessThan(await expectSame(rowsOf(12, 0.1), USUAL))
  })
})
