// A message whose entries differ is split by book, or stored as text together with the values that its book needs.

import { expect, test } from 'bun:test'
import { describeUneven, splitByBook, UNEVEN_TEXT, unevenText } from './irregular-message.ts'
import { jsonTree } from './json-tree.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const parts = (message: unknown, list = 'changes') => {
  const bytes = bytesOf(JSON.stringify(message))
  return splitByBook(bytes, jsonTree(bytes), list).map((part) => JSON.parse(Buffer.from(part).toString()) as unknown)
}

test('one message for each book, in order of first appearance', () => {
  const [a, b, c] = [
    { asset_id: 'A', price: '1' },
    { asset_id: 'B', x: 2 },
    { asset_id: 'A', y: 3 },
  ]
  expect(parts({ n: 1, changes: [a, b, c], m: 2 })).toEqual([
    { n: 1, changes: [a, c], m: 2 },
    { n: 1, changes: [b], m: 2 },
  ])
  expect(parts({ n: 1, changes: [{ x: 1 }] })).toEqual([{ n: 1, changes: [{ x: 1 }] }])
  expect([parts({ n: 1 }), parts({ changes: 7 }), parts([a])]).toEqual([[], [], []])
})

const amount = (path: string, mayBeCents = false) => ({ path, mayBeCents })
const described = {
  ...{ msg: 'x', market: 'market', book: { path: 'changes[].asset_id', list: 'changes' }, sid: 'sid', seq: null },
  ...{ eventTime: 'ts', quoteTime: null, printed: null, levels: [], trade: null },
  changes: {
    list: 'changes',
    price: amount('changes[].price'),
    size: amount('changes[].size', true),
    side: 'changes[].side',
    isSigned: false,
  },
  best: { bid: 'changes[].best_bid', ask: 'changes[].best_ask' },
} as never

test('the values of the changes are texts if one is missing', () => {
  const changes = [
    { asset_id: 'A', price: 0.4, size: '5', side: 'BUY', best_bid: '0.4' },
    { asset_id: 'A', price: null, odd: [] },
  ]
  const text = unevenText('{"as":"it was"}', { market: '0xab', sid: 7, ts: '17', changes }, described)
  expect(JSON.parse(text)).toEqual({
    ...{ [UNEVEN_TEXT]: { as: 'it was' }, market: '0xab', book: 'A', sid: 7, time: '17' },
    changes: [
      { price: '0.4', size: '5', side: 'BUY', best_bid: '0.4', best_ask: '-1' },
      { price: '', size: '', side: '', best_bid: '-1', best_ask: '-1' },
    ],
  })
})

test('the place of each value, if one is missing', () => {
  expect(describeUneven(described)).toMatchObject({
    ...{
      msg: '',
      market: 'market',
      book: { path: 'book', list: null },
      sid: 'sid',
      seq: null,
      eventTime: 'time',
      quoteTime: null,
    },
    changes: {
      list: 'changes',
      price: amount('changes[].price'),
      size: amount('changes[].size', true),
      side: 'changes[].side',
    },
    best: { bid: 'changes[].best_bid', ask: 'changes[].best_ask' },
  })
})
