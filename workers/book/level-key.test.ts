// A key encodes the side and the height of a level, and sorts bids before asks, the best first.

import { expect, test } from 'bun:test'
import { ASK, BID } from './ladder.ts'
import { bestFirst, heightOfLevel, isAskLevel, levelKey, levelOf } from './level-key.ts'

const levels = [
  { side: BID, height: 1_000_000 },
  { side: BID, height: 17 },
  { side: BID, height: 0 },
  { side: ASK, height: 1_000_000 },
  { side: ASK, height: 17 },
  { side: ASK, height: 0 },
]

test('a key gives back its side and height', () => {
  for (const level of levels) {
    const key = levelKey(level.side, level.height)
    expect(levelOf(key)).toEqual(level)
    expect([isAskLevel(key), heightOfLevel(key)]).toEqual([level.side === ASK, level.height])
  }
})

test('sorted: bids, then asks, the greatest height first', () => {
  const keys = levels.map(({ side, height }) => levelKey(side, height))
  expect(keys.toReversed().sort(bestFirst)).toEqual(keys)
  expect([3, 0, 5, 1, 4, 2].map((i) => keys[i]!).sort(bestFirst)).toEqual(keys)
})
