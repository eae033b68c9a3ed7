// Tests the places of a message's values: one for each slot, and those of every element of its lists.

import { expect, test } from 'bun:test'
import { MatchedMessage } from './matched-message.ts'

test('elements of several lists, by the thousand, and again after a reset', () => {
  const match = new MatchedMessage()
  for (const round of [0, 1]) {
    match.reset()
    for (const [list, slots] of [
      [0, [2, 3]],
      [1, [5]],
    ] as const) {
      match.openList(list)
      for (let i = 0; i < 900; i++) {
        for (const slot of slots) {
          match.starts[slot] = 10 * i + slot + round
          match.ends[slot] = 10 * i + slot + round + 1
        }
        match.addElement(list, [...slots])
      }
    }
    expect([match.listLengths[0], match.listLengths[1], match.listBases[1], match.elementCount]).toEqual([
      900, 900, 1_800, 2_700,
    ])
    const slots = [{ list: -1 }, { list: -1 }, { list: 0 }, { list: 0 }, { list: -1 }, { list: 1 }]
    const { first, end, step } = match.placesOf(slots, 0, 3)
    expect([first, end, step]).toEqual([1, 1_801, 2])
    expect([match.elementStarts[first + 2 * 7], match.elementEnds[match.placesOf(slots, 1, 5).first + 899]]).toEqual([
      73 + round,
      8_996 + round,
    ])
  }
})

test('has room for elements that the caller fills in', () => {
  const match = new MatchedMessage()
  match.setElementCount(5_000)
  expect([match.elementCount, match.elementStarts.length >= 5_000]).toEqual([5_000, true])
  expect([MatchedMessage.fits(512, 64), MatchedMessage.fits(513, 64), MatchedMessage.fits(512, 65)]).toEqual([
    true,
    false,
    false,
  ])
})
