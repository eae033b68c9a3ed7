// Prints every type of column and every group as text.

import { describe, expect, test } from 'bun:test'
import { chooseColumns } from '../../../workers/table/chosen-columns.ts'
import { type Column, columnNames, NULL, type Table, type Texts } from '../../../workers/table/table.ts'
import { tableText } from '../../../workers/table/table-text.ts'
import { RowChunk } from '../../support/row-chunk.ts'

const price = { places: 7 }
const size = { places: 6 }

const textsOf = (texts: string[]): Texts => {
  const bytes = texts.map((text) => Buffer.from(text))
  const offsets = Uint32Array.from([0, ...bytes.map((_, i) => Buffer.concat(bytes.slice(0, i + 1)).length)])
  return { arena: new Uint8Array(Buffer.concat(bytes)), offsets }
}

/** Returns a table whose rows are at 0, 1, 2 … ms. */
function tableOf(columns: Column[], rows: number[][], texts: string[] = []): Table {
  const chunk = new RowChunk(columns.length, rows.length)
  chunk.rowCount = rows.length
  rows.forEach((row, at) => {
    chunk.timestampsMs[at] = at
    columns.forEach((_, column) => {
      chunk.columns[column]![at] = row[column]!
    })
  })
  columns.forEach(({ type }, column) => {
    if (type === 'text') chunk.textColumns[column] = textsOf(texts)
  })
  return { constants: [{ name: 'market', text: 'KX' }], timestampUnit: 'ms', columns, chunks: [chunk].values() }
}

const json = (table: Table) => Buffer.concat([...tableText(table, 'json')]).toString()
const csv = (table: Table, names?: string[]) => Buffer.concat([...tableText(table, 'csv', { names })]).toString()

test('doubles are printed in the fewest digits that read back as the same double', () => {
  const columns: Column[] = [{ name: 'vwap', type: 'double', isNullable: true }]
  const values = [0.1 + 0.2, 1 / 3, -5e-324, 1e21, 1e-7, 0, -0.5, 123_456_789, Number.MAX_VALUE]
  const table = () =>
    tableOf(
      columns,
      [...values, NULL].map((value) => [value]),
    )
  expect(JSON.parse(json(table())).map(({ vwap }: { vwap: number }) => vwap)).toEqual([...values, null])
  const cells = csv(table()).trimEnd().split('\n').slice(1)
  expect(cells.map((cell) => cell.split(',')[2])).toEqual([...values.map(String), ''])
})

test('names and texts are quoted as each format has it', () => {
  const odd = ['plain', '', 'a"b', 'a,b', 'a\nb', 'back\\slash', 'bell\u0007', 'Zürich ⚽', '\u2028']
  const columns: Column[] = [
    { name: 'side', type: { names: odd }, isNullable: true },
    { name: 'trade_id', type: 'text', isNullable: true },
  ]
  const rows = [...odd.map((_, i) => [i, odd.length - 1 - i]), [NULL, NULL]]
  const parsed = JSON.parse(json(tableOf(columns, rows, odd)))
  expect(parsed).toEqual([
    ...odd.map((side, timestamp) => ({ timestamp, side, trade_id: odd.toReversed()[timestamp] })),
    { timestamp: odd.length, side: null, trade_id: null },
  ])
  const quoted = ['plain', '""', '"a""b"', '"a,b"', '"a\nb"', 'back\\slash', 'bell\u0007', 'Zürich ⚽', '\u2028']
  const lines = quoted.map((side, timestamp) => `KX,${timestamp},${side},${quoted.toReversed()[timestamp]}\n`)
  expect(csv(tableOf(columns, rows, odd))).toBe(`market,timestamp,side,trade_id\n${lines.join('')}KX,${odd.length},,\n`)
})

test('a text that is longer than a chunk of the answer has room', () => {
  const long = '"'.repeat(300_000)
  const columns: Column[] = [{ name: 'trade_id', type: 'text', isNullable: false }]
  expect(JSON.parse(json(tableOf(columns, [[0], [1]], [long, 'b'])))).toEqual([
    { timestamp: 0, trade_id: long },
    { timestamp: 1, trade_id: 'b' },
  ])
})

describe('groups', () => {
  const level = (side: string, n: number): Column[] => [
    { name: `${side}_price_${n}`, group: { name: `${side}s`, list: 'levels' }, type: price, isNullable: true },
    { name: `${side}_size_${n}`, group: { name: `${side}s`, list: 'levels' }, type: size, isNullable: true },
  ]
  const within = (band: string): Column => ({
    name: `bid_depth_within_${band}`,
    group: { name: 'bid_depth_within', list: 'values' },
    type: size,
    isNullable: true,
  })
  const columns: Column[] = [
    ...level('bid', 1),
    ...level('bid', 2),
    ...level('ask', 1),
    ...level('ask', 2),
    within('0.01'),
    within('0.05'),
    { name: 'open', group: { name: 'candle', key: 'open' }, type: price, isNullable: true },
  ]
  const [none, bids, asks] = [
    [NULL, NULL],
    [4_800_000, 1_500_000, 4_700_000, 2_000_000],
    [5_000_000, 7],
  ]
  const rows = [
    [...bids!, ...asks!, ...none!, 161_000_000, 2_444_180_000, 5_000_000],
    [...none!, ...none!, ...bids!, NULL, 0, NULL],
  ]

  test.each([columns, columns.slice(0, -1), columns.slice(0, 8), columns.slice(0, 4)])(
    'in JSON, whichever column is last',
    (...tableColumns: Column[]) => {
      const [first, second] = JSON.parse(json(tableOf(tableColumns, rows)))
      const whole = {
        timestamp: 0,
        bids: [
          [0.48, 1.5],
          [0.47, 2],
        ],
        asks: [[0.5, 0.000007]],
        bid_depth_within: [161, 2444.18],
        candle: { open: 0.5 },
      }
      const bare = {
        timestamp: 1,
        bids: [],
        asks: [
          [0.48, 1.5],
          [0.47, 2],
        ],
        bid_depth_within: [null, 0],
        candle: { open: null },
      }
      const keys = ['timestamp', ...tableColumns.map(({ name, group }) => group?.name ?? name)]
      const cut = (row: object) => Object.fromEntries(Object.entries(row).filter(([key]) => keys.includes(key)))
      expect(first).toEqual(cut(whole))
      expect(second).toEqual(cut(bare))
    },
  )

  test('without values: an empty list of JSON, and in CSV nothing', () => {
    const empty = (name: string): Column => {
      return { name, group: { name, list: 'values' }, type: 'nothing', isNullable: false }
    }
    for (const place of [0, 4, columns.length]) {
      const tableColumns = columns.toSpliced(place, 0, empty('buy_price'), empty('buy_filled'))
      const made = rows.map((row) => row.toSpliced(place, 0, NULL, NULL))
      const plain: object[] = JSON.parse(json(tableOf(columns, rows)))
      const expected = plain.map((row) => ({ ...row, buy_price: [], buy_filled: [] }))
      expect(JSON.parse(json(tableOf(tableColumns, made)))).toEqual(expected)
      expect(csv(tableOf(tableColumns, made))).toBe(csv(tableOf(columns, rows)))
      expect(columnNames(tableColumns, [])).toEqual(columnNames(columns, []))
    }
  })

  test('in CSV, null beyond the last level', () => {
    expect(csv(tableOf(columns, rows))).toBe(
      'market,timestamp,bid_price_1,bid_size_1,bid_price_2,bid_size_2,ask_price_1,ask_size_1,ask_price_2,ask_size_2,' +
        'bid_depth_within_0.01,bid_depth_within_0.05,open\n' +
        'KX,0,0.48,1.5,0.47,2,0.5,0.000007,,,161,2444.18,0.5\nKX,1,,,,,0.48,1.5,0.47,2,,0,\n',
    )
  })
})

describe('requested columns', () => {
  const columns: Column[] = [
    { name: 'count', type: 'whole', isNullable: false },
    { name: 'open', group: { name: 'candle', key: 'open' }, type: price, isNullable: true },
  ]
  const rows = [
    [1, 5_000_000],
    [2, NULL],
  ]
  const all = ['market', 'timestamp', 'count', 'open']

  test('are named as they are flattened', () => {
    expect(columnNames(columns, [{ name: 'market' }])).toEqual(all)
    expect(columnNames(columns, [])).toEqual(all.slice(1))
  })

  // Tries every choice of at least one column.
  const choices = Array.from({ length: 15 }, (_, i) => all.filter((_, bit) => ((i + 1) >> bit) & 1))
  test.each(choices.map((names) => ({ names })))('$names alone', ({ names }) => {
    const table = tableOf(columns, rows)
    const [head, ...lines] = csv(table, names.toReversed()).trimEnd().split('\n')
    expect(head).toBe(names.join(','))
    const full = [
      { market: 'KX', timestamp: '0', count: '1', open: '0.5' },
      { market: 'KX', timestamp: '1', count: '2', open: '' },
    ]
    const expected = full.map((row) => names.map((name) => row[name as keyof typeof row]).join(','))
    expect(lines.length === 1 ? [...lines, ''] : lines).toEqual(expected)
    const tableColumns = chooseColumns(table, names)
    expect(columnNames(tableColumns.columns, tableColumns.constants, tableColumns.hasTimestamp)).toEqual(names)
  })
})
