// Tests a market that is followed: it is read once for all listeners, to the end of the stored records.

import { expect, test } from 'bun:test'
import type { Channel, FollowRequest } from '../../workers/follow/follow-request.ts'
import { MarketFollower, type MarketListener } from './market-follower.ts'

const place = (record: number) => ({ date: '2026-08-10', record, step: 0, revision: 1, earlier: 0 })

/** Returns a follower that gets these answers in turn; the place of each piece is its number. */
function made(ends: boolean[], onAsk: () => void = () => undefined) {
  const requests: Pick<FollowRequest, 'channels' | 'from'>[] = []
  let revision = 1
  const workers = {
    ask: async (_: unknown, { channels, from }: FollowRequest) => {
      requests.push({ channels, from })
      onAsk()
      const isEnd = ends[requests.length - 1] ?? true
      return { to: place(requests.length), isEnd, revision, data: { bytes: new Uint8Array(0) } }
    },
  }
  const dependencies = { workers: workers as never, catalogue: { revision: async () => ({ revision, base: 0 }) } }
  const follower = new MarketFollower({ venue: 'kalshi', market: 'A' }, dependencies)
  const change = () => void revision++
  return { follower, requests, change }
}

function listener(...channels: Channel[]) {
  const pieces: [unknown, unknown][] = []
  const made: MarketListener = { channels, piece: (follower, { to }) => void pieces.push([follower.place, to]) }
  return { made, pieces }
}

test('the first piece is the place to begin at, and the others go to all listeners', async () => {
  const { follower, requests, change } = made([])
  const [one, other] = [listener('quotes', 'book'), listener('records')]
  follower.listeners.add(one.made).add(other.made)
  expect([follower.place, follower.revision, await follower.isBehind()]).toEqual([null, -1, true])
  await follower.advance()
  expect([follower.place, follower.revision, await follower.isBehind(), one.pieces]).toEqual([place(1), 1, false, []])
  change()
  expect(await follower.isBehind()).toBe(true)
  await follower.advance()
  expect([one.pieces, other.pieces]).toEqual([[[place(2), place(2)]], [[place(2), place(2)]]])
  const channels = ['records', 'book', 'quotes'] as const
  expect(requests).toEqual([
    { channels, from: null },
    { channels, from: place(1) },
  ])
})

test('it reads to the end, once for all that wait', async () => {
  const { follower, requests } = made([false, false, true])
  await Promise.all([follower.advance(), follower.advance()])
  expect([requests.length, follower.place]).toEqual([3, place(3)])
})

test('a channel that is wanted meanwhile is read with the same place again', async () => {
  const late = listener('trades')
  const { follower, requests } = made([], () => follower.listeners.add(late.made))
  follower.listeners.add(listener('book').made)
  await follower.advance()
  expect(requests).toEqual([
    { channels: ['book'], from: null },
    { channels: ['trades', 'book'], from: null },
  ])
})
