// Tests rows of a table for a terminal, in columns of fixed widths.

import { expect, test } from 'bun:test'
import { RowChunk } from '../../../test/support/row-chunk.ts'
import { type Column, NULL, type Table } from '../../../workers/table/table.ts'
import { terminalRows } from './terminal-rows.ts'

const NOON = Date.parse('2026-08-10T12:00:00Z')
const COLUMNS = [
  { name: 'count', type: 'count' },
  { name: 'side', type: { names: ['buy', 'sell'] } },
  { name: 'trade_identifier', type: 'text' },
] as unknown as Column[]

function made(): Table {
  const chunk = new RowChunk(3, 2)
  chunk.rowCount = 2
  chunk.timestampsMs.set([NOON, NOON + 61_999])
  chunk.columns[0]!.set([5, NULL])
  chunk.columns[1]!.set([1, 0])
  chunk.columns[2]!.set([0, 1])
  chunk.textColumns[2] = { arena: Buffer.from('abüc'), offsets: Int32Array.of(0, 2, 5) } as never
  return { columns: COLUMNS, constants: [], chunks: [chunk][Symbol.iterator]() } as unknown as Table
}

test('each column is at least as wide as its name, and null is a hyphen', () => {
  expect([...terminalRows(made())]).toEqual([
    'TIME (UTC)              COUNT      SIDE TRADE_IDENTIFIER\n',
    '2026-08-10 12:00:00         5      sell               ab\n' +
      '2026-08-10 12:01:01         -       buy               üc\n',
  ])
})

test('only named columns, with their own heads and widths', () => {
  expect(
    [
      ...terminalRows(made(), [
        ['side', 'S', 4],
        ['count', 'N', 3],
      ]),
    ].join(''),
  ).toBe('TIME (UTC)             S   N\n2026-08-10 12:00:00 sell   5\n2026-08-10 12:01:01  buy   -\n')
})
