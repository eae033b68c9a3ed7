// Stored messages of today's form are sent as they are; others are converted.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../test/model/json.ts'
import { kalshiDelta, NOON, TICKER } from '../../test/model/lines.ts'
import { decodedBlock } from '../../test/support/books/made-block.ts'
import { reforms } from './socket-form.ts'

function converted(...messages: JsonObject[]) {
  const block = decodedBlock(...messages)
  const texts = messages.map(({ msg }) => JSON.stringify(msg))
  const forms = reforms('kalshi', TICKER, block, (record) => texts[record]!)
  return texts.map((text, record) => {
    const form = forms[block.shapeIndexes[record]!]
    return form === undefined ? 'as it is' : form(text)
  })
}

test('a delta in dollars is sent unchanged, one in cents is converted', () => {
  const old = {
    type: 'orderbook_delta',
    msg: { market_ticker: TICKER, price: 48, delta: -5, side: 'yes', ts_ms: NOON + 1 },
  }
  const [now, before] = converted(kalshiDelta(0, '0.4800', '1.00'), old)
  expect(now).toBe('as it is')
  const { text } = before as { text: string }
  expect(JSON.parse(text)).toMatchObject({ price_dollars: '0.4800', delta_fp: '-5.00', side: 'yes' })
})

test('a gap is not converted', () => {
  const gap = { type: 'gap', venue: 'kalshi', market: TICKER, msg: { reason: 'lag', from: NOON, to: NOON } }
  expect(converted(gap)).toEqual(['as it is'])
})
