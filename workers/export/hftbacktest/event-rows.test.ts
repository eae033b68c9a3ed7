// Rows of hftbacktest: an event is written once if the order of receipt agrees with the order at the exchange, and
// twice if it was received before an earlier event.

import { expect, test } from 'bun:test'
import { BUY, CLEAR, DEPTH, EventRows, NO_SIDE, SELL, TRADE } from './event-rows.ts'

const [EXCHANGE, LOCAL] = [2n ** 31n, 2n ** 30n]
const SIDES = new Map([
  [2n ** 29n, 'buy'],
  [2n ** 28n, 'sell'],
  [0n, '-'],
])

function written(rows: EventRows): string[] {
  const pieces: Uint8Array[] = []
  rows.write((bytes) => pieces.push(bytes.slice()))
  const all = Buffer.concat(pieces)
  return Array.from({ length: all.length / 64 }, (_, i) => {
    const row = all.subarray(64 * i, 64 * i + 64)
    const event = row.readBigUInt64LE(0)
    const clocks = `${(event & EXCHANGE) === 0n ? '' : 'e'}${(event & LOCAL) === 0n ? '' : 'l'}`
    const side = SIDES.get(event & (2n ** 29n + 2n ** 28n))
    expect(row.subarray(40).every((byte) => byte === 0)).toBe(true)
    const times = [row.readBigInt64LE(8), row.readBigInt64LE(16)].join(' ')
    return `${clocks} ${event & 0xffn} ${side} ${times} ${row.readDoubleLE(24)} ${row.readDoubleLE(32)}`
  })
}

test('in order, in nanoseconds, dollars and contracts', () => {
  const rows = new EventRows()
  const us = 1_786_363_200_123_456
  rows.add(DEPTH, BUY, us, us + 1, 480_000, 7_500_000)
  rows.add(TRADE, SELL, us + 1, us + 2, 1, 0)
  rows.add(CLEAR, NO_SIDE, us + 1, us + 2, 0, 0)
  expect([rows.count, rows.lateCount, rows.writtenCount, rows.deficitUs]).toEqual([3, 0, 3, 0])
  expect(written(rows)).toEqual([
    `el 1 buy ${us}000 ${us + 1}000 0.48 7.5`,
    `el 2 sell ${us + 1}000 ${us + 2}000 0.000001 0`,
    `el 3 - ${us + 1}000 ${us + 2}000 0 0`,
  ])
})

test('rows that were received before an earlier one, and a clock that is slower than the exchange', () => {
  const rows = new EventRows()
  for (const [exchange, local] of [
    [1, 5],
    [2, 9],
    [3, 7],
    [4, 6],
    [5, 9],
  ])
    rows.add(DEPTH, BUY, exchange!, local!, 0, 0)
  rows.add(DEPTH, BUY, 20, 10, 0, 0)
  expect([rows.lateCount, rows.writtenCount, rows.deficitUs]).toEqual([2, 8, 10])
  expect(
    written(rows).map((row) =>
      row
        .split(' ')
        .filter((_, i) => [0, 3, 4].includes(i))
        .join(' '),
    ),
  ).toEqual([
    ...['el 1000 15000', 'l 4000 16000', 'l 3000 17000', 'el 2000 19000', 'e 3000 17000', 'e 4000 16000'],
    ...['el 5000 19000', 'el 20000 20000'],
  ])
})

test('more rows than a chunk and a piece', () => {
  const rows = new EventRows()
  for (let i = 0; i < 70_000; i++) rows.add(DEPTH, BUY, i, i, i, 0)
  let [count, last] = [0, 0]
  rows.write((bytes) => {
    count += bytes.length / 64
    last = Buffer.from(bytes).readDoubleLE(bytes.length - 64 + 24)
  })
  expect([count, last]).toEqual([70_000, 0.069999])
})

test('of rows that were received at one time, the earlier one stays first', () => {
  const rows = new EventRows()
  for (const [exchange, local] of [
    [1, 7],
    [2, 9],
    [3, 7],
  ] as const)
    rows.add(DEPTH, BUY, exchange, local, 0, 0)
  expect(written(rows).map((row) => row.split(' ').slice(0, 4).join(' '))).toEqual([
    ...['el 1 buy 1000', 'l 1 buy 3000', 'el 1 buy 2000', 'e 1 buy 3000'],
  ])
})
