// Tests positions of a stream: each is sealed for its query, and opens unchanged.

import { expect, test } from 'bun:test'
import { Random } from '../../workers/synthetic/random.ts'
import { type Place, placeBytes, StreamPositions } from './stream-position.ts'
import type { StreamQuery } from './stream-query.ts'

const SECRET = new Uint8Array(32).fill(7)
const market = (id: string) => ({ venue: 'kalshi', market: id }) as const
const QUERY: StreamQuery = { markets: [market('A'), market('B'), market('C')], event: null, channels: ['book'] }
const PLACE = { date: '2026-08-10', record: 5, step: 2, revision: 9, earlier: 0xffff_fffe }

const positionsOf = (changes: Partial<StreamQuery> = {}, secret = SECRET) =>
  new StreamPositions(secret, { ...QUERY, ...changes })

test('a position opens as it was sealed', () => {
  const positions = positionsOf()
  const places: Place[] = [PLACE, null, 'nothing']
  expect(positions.open(positions.seal(places.map(placeBytes)))).toEqual(places)
  expect(positionsOf().open(positions.seal(places.map(placeBytes)))).toEqual(places)
})

test('numbers of any size', () => {
  const random = new Random(3, 'positions')
  const positions = positionsOf()
  for (let n = 0; n < 200; n++) {
    const size = () => random.below(2 ** random.below(46))
    const places = QUERY.markets.map(() => ({
      date: new Date(random.below(2_900_000) * 86_400_000).toISOString().slice(0, 10),
      ...{ record: size(), step: random.below(5), revision: size(), earlier: random.below(2 ** 32) },
    }))
    expect(positions.open(positions.seal(places.map(placeBytes)))).toEqual(places)
  }
})

test('a position of another query, store or text is invalid', () => {
  const sealed = positionsOf().seal([PLACE, null, null].map(placeBytes))
  const others = [
    positionsOf({ channels: ['trades'] }),
    positionsOf({ markets: [market('A'), market('B')] }),
    positionsOf({ event: 'kalshi:E' }),
    positionsOf({}, new Uint8Array(32)),
  ]
  expect(others.map((each) => each.open(sealed))).toEqual([undefined, undefined, undefined, undefined])
  expect([positionsOf().open(sealed.slice(1)), positionsOf().open('')]).toEqual([undefined, undefined])
})

test('an event whose markets have changed starts over', () => {
  const event = 'kalshi:E'
  const sealed = positionsOf({ event }).seal([PLACE, PLACE, PLACE].map(placeBytes))
  expect(positionsOf({ event, markets: [market('A'), market('D')] }).open(sealed)).toEqual([null, null])
  expect(positionsOf({ event }).open(sealed)).toEqual([PLACE, PLACE, PLACE])
})
