// Tests when a view moves while its market grows, and when it stays.

import { describe, expect, test } from 'bun:test'
import { followed, followingOf, noticed } from './following.ts'
import { isWindowSince } from './since.ts'

const DAY = Date.parse('2026-07-20T00:00:00Z')
const place = (fromMs: number | null, toMs: number | null, atMs: number | null = null) => ({ fromMs, toMs, atMs })

describe('a view that follows', () => {
  test('keeps its length, with the newest near its right edge', () => {
    const following = followingOf(place(1_000, 11_000), 10_500)
    expect(followed(following, 12_000)).toEqual(place(2_400, 12_400, 12_000))
    // There is still room, so only the cursor moves.
    expect(followed(following, 10_550)).toEqual(place(1_000, 11_000, 10_550))
  })

  test('still shows the whole day if it did before', () => {
    expect(followed(followingOf(place(null, null), 5), 9)).toEqual(place(null, null, 9))
  })

  test('does not follow from a place in the past', () => {
    const following = followingOf(place(1_000, 2_000, 1_500), 9_000)
    expect(followed(following, 9_500)).toEqual(place(1_000, 2_000, 1_500))
  })

  test('is left alone once the reader goes back, and follows again once they return', () => {
    const put = { ...followingOf(place(1_000, 11_000), 10_500), put: place(2_400, 12_400, 12_000) }
    expect(noticed(put, place(2_400, 12_400, 12_000), 12_000)).toEqual(put)
    const back = noticed(put, place(400, 10_400, 12_000), 12_000)
    expect([back.span, back.cursor]).toEqual([false, true])
    expect(noticed(back, place(4_000, 14_000, 12_000), 12_000).span).toBe(true)
    expect(noticed(put, place(2_400, 12_400, 5_000), 12_000).cursor).toBe(false)
  })
})

describe('what changes when a market grows', () => {
  test('is each window of the book that ends after the instant', () => {
    const isSince = isWindowSince('kalshi KXA ', DAY + 3_600_000)
    const minutes = 24 * 60_000
    const names = [DAY, DAY + 2 * minutes, DAY + 3 * minutes, DAY + 100 * minutes].map((ms) => `kalshi KXA  ${ms} 1000`)
    expect(names.map(isSince)).toEqual([false, true, true, true])
    expect(isSince(`kalshi KXA  ${DAY} 60000 0.01 max`)).toBe(true)
    expect(isSince(`kalshi KXB  ${DAY} 60000`)).toBe(false)
  })
})
