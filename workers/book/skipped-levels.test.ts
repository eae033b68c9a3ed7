// Levels that no book can hold are counted by book and date, however the capture is loaded. The raw records keep
// them.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../test/model/json.ts'
import * as lines from '../../test/model/lines.ts'
import { loadTexts } from '../../test/model/model.ts'
import { type TestStore, withStore } from '../../test/support/store.ts'
import { expectSameRecords } from '../../test/workers/load/model-comparison.ts'
import { verifyStore } from '../verify/verify-store.ts'

const { book, kalshiDelta, kalshiSnapshot, priceChange, received } = lines

const kalshi: JsonObject[] = [
  received(
    0,
    kalshiSnapshot(
      [
        ['0.41', '5'],
        ['0.4100004', '7'],
      ],
      [['0.5', '1.0000004']],
    ),
  ),
  kalshiDelta(1, '0.4200004', '5'),
  kalshiDelta(2, '0.42', '5'),
  // A change without a price changes nothing, and does not count as a level.
  kalshiDelta(3, null, '5'),
]

const polymarket: JsonObject[] = [
  book(0, [['0.4', '1']], [['0.5000004', '2']]),
  book(0, [['0.4', '1']], [], 'B'),
  priceChange(1, { price: '0.41', size: '3' }, { price: '0.41', size: '1e30' }, { price: 'none', size: '1' }),
  priceChange(2, { price: '0.42', size: '3', asset_id: 'B' }),
]

async function skipped({ store }: TestStore, venue: 'polymarket' | 'kalshi', market: string) {
  const [day] = await store.catalogue.heads(venue, market)
  return day!.head.books.map(({ id, levelsSkipped }) => [id, levelsSkipped])
}

test.each([
  ['kalshi', lines.TICKER, kalshi, [[lines.TICKER, 3]]],
  [
    'polymarket',
    lines.CONDITION,
    polymarket,
    [
      ['A', 3],
      ['B', undefined],
    ],
  ],
] as const)('%s: of each book', async (venue, market, messages, expected) => {
  const texts = messages.map((message) => JSON.stringify(message))
  await withStore(async (store) => {
    await store.loadLines('whole', [...texts])
    expect(await skipped(store, venue, market)).toEqual(expected.map(([...entry]) => entry))
    await expectSameRecords(store, loadTexts([texts.join('\n')], lines.NOW))
  })
  await withStore(async (store) => {
    for (const [index, text] of texts.entries()) await store.loadLines(`piece-${index}`, [text])
    expect(await skipped(store, venue, market)).toEqual(expected.map(([...entry]) => entry))
    expect((await verifyStore(store.store)).damage).toEqual([])
  })
})
