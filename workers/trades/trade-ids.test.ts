// The ids of trades are read back as the texts that the venue sent, from every shape that has ids.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../test/model/json.ts'
import { NOON, received, TICKER } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { decodeWholeBlock } from '../block/decoded-block.ts'
import { NULL } from '../table/table.ts'
import { idAt, idsOf } from './trade-ids.ts'

let ms = 0
const trade = (of: JsonObject) => {
  const msg = {
    market_ticker: TICKER,
    yes_price_dollars: '0.4',
    count_fp: '2.00',
    taker_side: 'yes',
    ts_ms: NOON + ++ms,
    ...of,
  }
  return received(ms, { type: 'trade', msg })
}

function idsIn(...lines: JsonObject[]) {
  const block = storedBlock(...lines)
  const { shapeIndexes, rows } = decodeWholeBlock(block)
  const count = lines.length
  const { values, texts } = idsOf(block, { count, shapes: Uint16Array.from(shapeIndexes), rows })
  const read = Array.from(values, (word) =>
    word === NULL ? null : Buffer.from(texts.arena.subarray(texts.offsets[word], texts.offsets[word + 1])).toString(),
  )
  const single = Array.from(shapeIndexes, (shape, i) => idAt(block.shapes[shape]!, rows[i]!))
  expect(single).toEqual(read)
  return read
}

test('texts, of several shapes, and none', () =>
  expect(
    idsIn(
      trade({ trade_id: 'b' }),
      trade({ trade_id: 'a', extra: 1 }),
      trade({}),
      trade({ trade_id: 'c', extra: 2 }),
      trade({ trade_id: 'd' }),
    ),
  ).toEqual(['b', 'a', null, 'c', 'd']))

test('ids that are digits or times keep their spelling', () =>
  expect(idsIn(trade({ trade_id: '0.50' }), trade({ trade_id: '7' }))).toEqual(['0.50', '7']))

test('escapes are resolved', () =>
  expect(idsIn(trade({ trade_id: 'a"b' }), trade({ trade_id: 'é\\n' }))).toEqual(['a"b', 'é\\n']))

test('a number is not an id', () => expect(idsIn(trade({ trade_id: 7 }))).toEqual([null]))
