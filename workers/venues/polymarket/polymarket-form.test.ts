// A replay converts messages of Polymarket that are stored in another form to the form of today's socket, with the same
// values. It does not change messages that came from the socket.

import { expect, test } from 'bun:test'
import { conditionOf, T0 } from '../../../test/support/replay/polymarket-lines.ts'
import { socketTexts } from '../../../test/support/replay/socket-texts.ts'

const [M, YES] = [conditionOf('a'), '101']
const BOOK = { market: M, asset_id: YES, timestamp: String(T0 + 1_250), hash: 'ab' }
const CHANGE = { asset_id: YES, price: '0.48', size: '0', side: 'BUY', hash: 'ab' }
const CHANGED = { market: M, timestamp: String(T0 + 1_250), event_type: 'price_change' }

test.each<[string, object, object | null]>([
  [
    'a book of the REST API',
    {
      ...BOOK,
      bids: [
        { price: '0.4', size: '1' },
        { price: '0.48', size: '30' },
      ],
      asks: [],
      tick_size: '0.01',
      neg_risk: true,
    },
    {
      ...BOOK,
      bids: [
        { price: '0.4', size: '1' },
        { price: '0.48', size: '30' },
      ],
      ...{ asks: [], tick_size: '0.01', neg_risk: true, event_type: 'book' },
    },
  ],
  [
    'a book of the REST API with numbers, the best first',
    {
      ...BOOK,
      timestamp: T0 + 1_250,
      bids: [
        { price: 0.48, size: 30 },
        { price: 0.4, size: 1 },
      ],
      asks: [
        { price: 0.5, size: 1.5 },
        { price: 0.6, size: 2 },
      ],
    },
    {
      ...BOOK,
      bids: [
        { price: '0.4', size: '1' },
        { price: '0.48', size: '30' },
      ],
      asks: [
        { price: '0.6', size: '2' },
        { price: '0.5', size: '1.5' },
      ],
      event_type: 'book',
    },
  ],
  [
    'changes of 2025',
    {
      ...CHANGED,
      asset_id: YES,
      hash: 'ab',
      changes: [
        { price: '0.480', size: '0', side: 'BUY' },
        { price: '.5', size: '2.10', side: 'SELL' },
      ],
    },
    { ...CHANGED, price_changes: [CHANGE, { ...CHANGE, price: '0.5', size: '2.1', side: 'SELL' }] },
  ],
  [
    'the single change of 2024',
    { ...CHANGED, asset_id: YES, hash: 'ab', price: '0.48', size: '0', side: 'BUY' },
    { ...CHANGED, price_changes: [CHANGE] },
  ],
  [
    "today's change, its numbers as printed",
    { ...CHANGED, price_changes: [{ ...CHANGE, price: '.480' }] },
    { ...CHANGED, price_changes: [{ ...CHANGE, price: '.480' }] },
  ],
  ['what the socket never sends', { market: M, question: 'Who?', timestamp: String(T0 + 1_250) }, null],
])('Polymarket: %s', async (_, message, expected) => {
  expect(await socketTexts('polymarket', JSON.stringify(message))).toEqual(expected === null ? [] : [expected])
})
