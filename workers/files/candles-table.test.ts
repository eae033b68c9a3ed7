// The table of a day has the seconds of all books, book after book in the order of their ids.

import { expect, test } from 'bun:test'
import { book, CONDITION, DAY, kalshiSnapshot, received, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { tableText } from '../table/table-text.ts'
import { candlesTable } from './candles-table.ts'

test('of Polymarket, with the token of each row', () =>
  withStore(async (store) => {
    const lines = [
      book(0, [['0.4', '1']], [], 'B'),
      book(1_500, [['0.41', '1']], [], 'B'),
      book(1_000, [['0.3', '1']], [], 'A'),
    ]
    await store.loadLines(
      'c.ndjson',
      lines.map((line) => JSON.stringify(line)),
    )
    const key = { venue: 'polymarket', market: CONDITION, date: DAY } as const
    const { rows, table } = await candlesTable(store.store, key, { books: [{ id: 'B' }, { id: 'A' }] as never })
    const [head, ...all] = Buffer.concat([...tableText(table, 'csv')])
      .toString()
      .trimEnd()
      .split('\n')
    const at = head!.split(',').indexOf('best_bid')
    expect(rows).toBe(3)
    expect(head!.split(',').slice(0, 3)).toEqual(['market', 'timestamp', 'asset_id'])
    expect(all.map((row) => [row.split(',')[2], row.split(',')[at]])).toEqual([
      ['A', '0.3'],
      ['B', '0.4'],
      ['B', '0.41'],
    ])
  }))

test('of Kalshi, without it', () =>
  withStore(async (store) => {
    await store.loadLines('c.ndjson', [JSON.stringify(received(0, kalshiSnapshot([['0.4', '1']])))])
    const key = { venue: 'kalshi', market: TICKER, date: DAY } as const
    const { rows, table } = await candlesTable(store.store, key, { books: [{ id: TICKER }] as never })
    expect([rows, table.columns.some(({ name }) => name === 'asset_id')]).toEqual([1, false])
  }))
