// Tests the depth map on the smallest capture that shows each rule. All expected values are worked out by hand.

import { describe, expect, test } from 'bun:test'
import { book, capture, kalshiDelta, kalshiGap, kalshiSnapshot, NOON, priceChange, received } from '../lines.ts'
import type { DepthMap } from './depth-map.ts'
import * as made from './made-lines.ts'
import type { Answer, Query } from './model-ask.ts'

const MIDNIGHT = 12 * 3_600_000
const map = { resolution_ms: '100', price_step: '0.01' }

const kalshi = (texts: string[], from: number, to: number, query: Query = {}) =>
  both((format) => made.askKalshi(texts, 'depth-map', { ...map, ...made.window(from, to), format, ...query }))
const polymarket = (lines: object[], from: number, to: number, query: Query = {}) => {
  const text = capture(...(lines as []))
  const parameters = { ...map, ...made.window(from, to), ...query }
  return both((format) => made.askPolymarket([text], 'depth-map', { ...parameters, format }))
}

/** Returns the map with the rows of the format arrow and the runs of the format ndjson. */
async function both(ask: (format: string) => Promise<Answer>): Promise<DepthMap> {
  const { data: rows, ...metadata } = await ask('arrow')
  const { data: runs } = await ask('ndjson')
  return { ...metadata, rows, runs } as DepthMap
}

const rowsOf = ({ rows }: DepthMap) => Object.fromEntries(rows.map(({ price, sizes }) => [price, sizes]))

// At noon there are a bid of 10 at 0.40 and an ask of 4 at 0.45. The bid is 14 from 130 to 155 ms, then 6. The last
// change is at 300 ms.
const lines = [
  received(0, kalshiSnapshot([['0.40', '10']], [['0.55', '4']])),
  kalshiDelta(130, '0.40', '4'),
  kalshiDelta(155, '0.40', '-8'),
  kalshiDelta(300, '0.40', '1'),
]
const text = [capture(...lines)]

describe('a column', () => {
  test('of max has the largest size that rested in it, of last the size at its end', async () => {
    expect(await kalshi(text, 0, 399)).toEqual({
      ...{ start_ms: NOON, resolution_ms: 100, columns: 4, price_step: 0.01, known: [[0, 3]] },
      rows: [
        { price: 0.4, sizes: [10, 14, 6, 7] },
        { price: 0.45, sizes: [-4, -4, -4, -4] },
      ],
      runs: [
        { price: 0.4, from: NOON, to: NOON + 100, size: 10 },
        { price: 0.4, from: NOON + 100, to: NOON + 200, size: 14 },
        { price: 0.4, from: NOON + 200, to: NOON + 300, size: 6 },
        { price: 0.4, from: NOON + 300, to: NOON + 400, size: 7 },
        { price: 0.45, from: NOON, to: NOON + 400, size: -4 },
      ],
    })
    expect(rowsOf(await kalshi(text, 0, 399, { aggregate: 'last' }))[0.4]).toEqual([10, 6, 6, 7])
  })
  test('of mean has size × time over the time that the book is known', async () => {
    // The bid is 10 for 30 ms, 14 for 25 ms and 6 for 45 ms. The last column is known only for the ms of the last
    // quote.
    const [, second, , last] = rowsOf(await kalshi(text, 0, 399, { aggregate: 'mean' }))[0.4]!
    expect(second).toBe(Math.fround((300 + 350 + 270) / 100))
    expect(last).toBe(7)
  })
  test('begins with the window, and the last column may be shorter', async () => {
    const { columns, start_ms, rows } = await kalshi(text, 150, 260)
    expect({ columns, start_ms, sizes: rows[0]!.sizes }).toEqual({ columns: 2, start_ms: NOON + 150, sizes: [14, 6] })
  })
  test('leaves out levels that lasted for 0 ms', async () => {
    const flash = [
      capture(
        ...lines.slice(0, 1),
        kalshiDelta(100, '0.30', '9'),
        kalshiDelta(100, '0.30', '-9'),
        kalshiDelta(200, '0.40', '1'),
      ),
    ]
    expect(rowsOf(await kalshi(flash, 0, 199))).toEqual({ 0.4: [10, 10], 0.45: [-4, -4] })
    // A level that goes away in the first ms of a column does not count in that column.
    const gone = [capture(...lines.slice(0, 1), kalshiDelta(100, '0.40', '-10'), kalshiDelta(200, '0.10', '1'))]
    expect(rowsOf(await kalshi(gone, 0, 199))[0.4]).toEqual([10, 0])
  })
})

describe('a step of price', () => {
  test('adds up its levels at each ms, before it aggregates over time', async () => {
    const opening = book(
      0,
      [
        ['0.401', '5'],
        ['0.409', '1'],
      ],
      [],
    )
    const move = priceChange(50, { price: '0.401', size: '0' }, { price: '0.409', size: '5.5' })
    const last = priceChange(99, { price: '0.1', size: '0' })
    expect(rowsOf(await polymarket([opening, move, last], 0, 99))).toEqual({ 0.4: [6] })
    const fine = { price_step: '0.001' }
    expect(rowsOf(await polymarket([opening, move, last], 0, 99, fine))).toEqual({ 0.401: [5], 0.409: [5.5] })
  })
  test('has the larger of both sides, as rows rounded to 32 bits', async () => {
    const crossed = [book(0, [['0.405', '5.1']], [['0.402', '7']]), priceChange(100, { price: '0.405', size: '7' })]
    expect(rowsOf(await polymarket(crossed, 0, 199))).toEqual({ 0.4: [-7, 7] })
    const small = await polymarket([book(0, [['1', '0.1']], [['0', '0.3']])], 0, 0)
    expect(rowsOf(small)).toEqual({ 0: [-Math.fround(0.3)], 1: [Math.fround(0.1)] })
    expect(small.runs.map(({ size }) => size)).toEqual([-0.3, 0.1])
  })
})

describe('known', () => {
  test('covers the book from its first quote to its last, without gaps', async () => {
    const gap = [capture(...lines.slice(0, 3), kalshiGap(210), received(420, kalshiSnapshot([['0.2', '1']])))]
    const answer = await kalshi(gap, -150, 699)
    // Columns begin at -150. The first quote is in the second column, the gap in the fourth, which begins at 150, and
    // the last quote in the sixth.
    expect(answer.known).toEqual([
      [1, 3],
      [5, 5],
    ])
    expect(rowsOf(answer)).toEqual({
      0.2: [0, 0, 0, 0, 0, 1, 0, 0, 0],
      0.4: [0, 10, 14, 14, 0, 0, 0, 0, 0],
      0.45: [0, -4, -4, -4, 0, 0, 0, 0, 0],
    })
  })
  test('covers a book that continues to the next day, without days that are not stored', async () => {
    const later = capture(kalshiDelta(2 * made.DAY_MS, '0.40', '1'))
    const hours = { resolution_ms: '900000' }
    const carried = await kalshi([...text, later], MIDNIGHT - 1_800_000, MIDNIGHT + 1_800_000 - 1, hours)
    expect(carried.known).toEqual([[0, 1]])
    expect((await kalshi(text, MIDNIGHT - 1_800_000, MIDNIGHT, hours)).known).toEqual([])
    expect((await kalshi(text, -2 * made.DAY_MS, -made.DAY_MS, hours)).rows).toEqual([])
  })
  test('covers a book without a snapshot, too', async () => {
    const observed = [priceChange(0, { price: '0.3', size: '5' }), priceChange(150, { price: '0.3', size: '6' })]
    expect(await polymarket(observed, 0, 199)).toMatchObject({ known: [[0, 1]], rows: [{ price: 0.3, sizes: [5, 6] }] })
  })
})
