// Tests the next command, made from the wanted subscriptions and those that the venue has confirmed.

import { beforeEach, expect, test } from 'bun:test'
import { Difference } from './difference.ts'

let difference: Difference
beforeEach(() => {
  difference = new Difference(2, false)
})

const open = () => {
  difference.opened('orderbook_delta', 1, ['A', 'B'])
  difference.opened('trade', 2, ['A', 'B'])
}

test('subscribes to all channels at once, or to one after the other', () => {
  difference.add(['A', 'B', 'C'])
  const tickers = ['A', 'B']
  expect(difference.next()).toEqual({ cmd: 'subscribe', channels: ['orderbook_delta', 'trade'], tickers })
  difference.isJoined = false
  expect(difference.next()).toEqual({ cmd: 'subscribe', channels: ['trade'], tickers })
  difference.opened('trade', 1, tickers)
  expect(difference.next()).toEqual({ cmd: 'subscribe', channels: ['orderbook_delta'], tickers })
})

test('adds missing markets before it removes unwanted ones, and never removes the last one', () => {
  difference.add(['A', 'B', 'C'])
  open()
  difference.remove(['A'])
  const added = { cmd: 'add_markets', sid: 2, tickers: ['C'] } as const
  expect(difference.next()).toEqual(added)
  difference.changed(added)
  difference.changed({ ...added, sid: 1 })
  expect(difference.next()).toEqual({ cmd: 'delete_markets', sid: 1, tickers: ['A'] })
  difference.remove(['B', 'C'])
  expect(difference.next()).toBeUndefined()
})

test('requests snapshots of confirmed markets last, and not those that have come', () => {
  difference.wantsLifecycle = true
  difference.add(['A', 'B', 'C'])
  difference.reject(['C'])
  difference.askSnapshots(['A', 'B', 'C', 'Z'])
  open()
  expect(difference.next()).toEqual({ cmd: 'subscribe', channels: ['market_lifecycle_v2'], tickers: [] })
  difference.opened('market_lifecycle_v2', 3, [])
  difference.answered(['A'])
  expect(difference.next()).toEqual({ cmd: 'get_snapshot', sid: 1, tickers: ['B'] })
  difference.answered(['B', 'C'])
  expect(difference.next()).toBeUndefined()
})

test('a channel that has ended is subscribed again, and a snapshot before that ends no gap', () => {
  difference.add(['A', 'B'])
  open()
  expect([difference.isPartial('A'), difference.channelOf(2)]).toEqual([false, 'trade'])
  expect(difference.ended('trade')).toBe(2)
  expect([difference.isPartial('A'), difference.isPartial('Z'), difference.channelOf(2)]).toEqual([
    true,
    false,
    undefined,
  ])
  expect(difference.next()).toEqual({ cmd: 'subscribe', channels: ['trade'], tickers: ['A', 'B'] })
  difference.askWhole()
  expect(difference.next()?.cmd).toBe('subscribe')
  difference.opened('trade', 3, ['A', 'B'])
  difference.askWhole()
  expect(difference.next()).toEqual({ cmd: 'get_snapshot', sid: 1, tickers: ['A'] })
})
