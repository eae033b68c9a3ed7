// Tests the places of a book's last records, and its tick size.

import { expect, test } from 'bun:test'
import type { RecordKind } from '../../storage/format/shape.ts'
import {
  type BookMark,
  hasRecord,
  lastMarketGap,
  type MarkedBlock,
  markAfter,
  markAfterGap,
  markAfterSwitch,
  NO_MARK,
} from './book-mark.ts'

const KINDS: RecordKind[] = ['snapshot', 'delta', 'trade', 'tick_size', 'gap', 'other']
type Row = [kind: RecordKind, book: number, of?: { tick?: string; isUnreadable?: boolean }]

function blockOf(...rows: Row[]): MarkedBlock {
  const rowOf = (record: number) => rows.slice(0, record).filter(([kind]) => kind === rows[record]![0]).length
  const sizes = rows.filter(([kind]) => kind === 'trade').map(([, , of]) => (of?.isUnreadable ? Number.NaN : 1))
  return {
    columns: {
      recordCount: rows.length,
      timesMs: Float64Array.from(rows, (_, i) => 10 * i),
      operations: Uint16Array.from(rows, ([kind]) => 2 * KINDS.indexOf(kind)),
      books: Uint16Array.from(rows, ([, book]) => book),
      shapes: KINDS.map((kind) => ({ kind, isAside: false })),
    } as never,
    firstRecord: 100,
    tradeSizes: KINDS.map((kind) => (kind === 'trade' ? Float64Array.from(sizes) : undefined)),
    fields: { rowOf, text: (record, key) => (key.endsWith('tick_size') ? rows[record]![2]?.tick : undefined) },
  }
}
const at = (record: number) => ({ timeMs: 10 * record, record: 100 + record })
const before: BookMark = {
  last: { timeMs: -1, record: 9 },
  change: { timeMs: -1, record: 9 },
  trade: null,
  tickSize: { timeMs: -1, micros: 1 },
}

test('each from its last record', () => {
  const block = blockOf(
    ['snapshot', 1, { tick: '0.01' }],
    ['trade', 1],
    ['delta', 1],
    ['trade', 1, { isUnreadable: true }],
    ['other', 1],
    ['delta', 2],
  )
  expect(markAfter(before, block, 1, 6)).toEqual({
    last: at(4),
    change: at(2),
    trade: at(1),
    tickSize: { timeMs: 0, micros: 10_000 },
  })
  expect(markAfter(before, block, 1, 2)).toMatchObject({ last: at(1), change: at(0) })
  expect(markAfter(before, block, 2, 5)).toEqual(before)
})

test('a gap of the market counts for each book, and tick sizes are read as they are stated', () => {
  const block = blockOf(['tick_size', 1, { tick: '0.001' }], ['gap', 0], ['gap', 2])
  expect(markAfter(before, block, 1, 3)).toEqual({
    last: at(1),
    change: at(1),
    trade: null,
    tickSize: { timeMs: 0, micros: 1_000 },
  })
  expect([lastMarketGap(block), lastMarketGap(blockOf(['gap', 2]))]).toEqual([at(1), undefined])
  expect(markAfterGap(before, at(1))).toEqual({ ...before, last: at(1), change: at(1) })
})

test('a switch has no record; trades of the date stay', () => {
  const trade = { timeMs: 5, record: 3 }
  const shown = { ...NO_MARK, tickSize: { timeMs: 7, micros: 2 } }
  const after = markAfterSwitch({ ...before, trade }, shown, 20)
  expect(after).toMatchObject({ last: { timeMs: 20 }, trade, tickSize: { timeMs: 7, micros: 2 } })
  expect([hasRecord(after.last), hasRecord(after.trade), hasRecord(null)]).toEqual([false, true, false])
  expect(markAfterSwitch({ ...before, trade }, null, 20)).toEqual({ ...NO_MARK, trade })
})
