// Tests the commands that subscribe to tokens, with pauses between them.

import { expect, test } from 'bun:test'
import { Subscriptions } from './subscriptions.ts'

function scene(listens = false) {
  const sent: Record<string, unknown>[] = []
  const clock = { nowMs: 0, wakes: [] as number[] }
  const link = {
    send: (text: string) => sent.push(JSON.parse(text)) > 0,
    get monoMs() {
      return clock.nowMs
    },
    wakeAt: (ms: number) => void clock.wakes.push(ms),
  }
  const subscriptions = new Subscriptions(link, { chunk: 2, pauseMs: 100, listens })
  const dueAt = (ms: number) => {
    clock.nowMs = ms
    return subscriptions.due(ms)
  }
  const named = () => sent.map(({ assets_ids }) => assets_ids)
  return { subscriptions, sent, clock, dueAt, named }
}

test('tokens are subscribed in chunks, each after a pause', () => {
  const { subscriptions, sent, clock, dueAt, named } = scene()
  subscriptions.add(['1', '2', '3'])
  expect([named(), clock.wakes]).toEqual([[['1', '2']], [100]])
  expect([dueAt(99), named().length]).toEqual([100, 1])
  expect([dueAt(100), named()]).toEqual([200, [['1', '2'], ['3']]])
  expect(sent.map(({ type, operation }) => type ?? operation)).toEqual(['market', 'subscribe'])
  // The pause also applies to tokens that are added later.
  subscriptions.add(['4'])
  expect(named()).toHaveLength(2)
  dueAt(200)
  expect(named().at(-1)).toEqual(['4'])
  expect(dueAt(300)).toBe(Number.POSITIVE_INFINITY)
})

test('tokens that were not subscribed yet are left out, the others are unsubscribed', () => {
  const { subscriptions, sent, dueAt, named } = scene()
  subscriptions.add(['1', '2', '3', '4'])
  subscriptions.remove(['2', '3'])
  expect([named().at(-1), sent.at(-1)!['operation']]).toEqual([['2'], 'unsubscribe'])
  dueAt(100)
  expect(named().at(-1)).toEqual(['4'])
  subscriptions.close()
  expect(dueAt(1_000)).toBe(Number.POSITIVE_INFINITY)
})

test('a socket that listens to all markets subscribes even without tokens, once', () => {
  const { subscriptions, sent } = scene(true)
  subscriptions.add([])
  subscriptions.add([])
  expect(sent).toEqual([{ type: 'market', assets_ids: [], initial_dump: true, level: 2, custom_feature_enabled: true }])
})
