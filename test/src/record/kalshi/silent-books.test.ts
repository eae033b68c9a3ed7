// Goal: a market that never sends its book ends no socket that works.

import { expect, test } from 'bun:test'
import { messagesIn } from '../../../../src/record/kalshi/frame.ts'
import { Subscriptions } from '../../../../src/record/kalshi/subscriptions.ts'
import { FakeTime } from '../../../support/venues/fake-time.ts'
import { subscribed } from '../../../support/venues/kalshi-scene.ts'

const REPLY_MS = 10_000

test.each([
  [true, [], [['A'], ['B']]],
  [false, [`no answer to get_snapshot within ${REPLY_MS} ms`], [['A']]],
])('a book is not sent, and others are heard of: %p', async (isHearing, failures, asked) => {
  const time = new FakeTime(1_786_410_000_000)
  const failed: string[] = []
  const snapshots: (readonly string[])[] = []
  const subscriptions = new Subscriptions(
    {
      send: (_, command) => void (command.cmd === 'get_snapshot' && snapshots.push(command.tickers)),
      ended: () => undefined,
      failed: (because) => void failed.push(because),
      hasHeard: () => isHearing,
      halveLimit: () => 100,
      refused: () => undefined,
      note: () => undefined,
    },
    time.timers,
    { chunk: 100, replyMs: REPLY_MS, hasLifecycle: false },
  )
  subscriptions.add(['A', 'B'])
  for (const message of [subscribed('orderbook_delta', 1), subscribed('trade', 2)]) {
    subscriptions.read(messagesIn(JSON.stringify(message))![0]!)
  }
  subscriptions.askSnapshots(['A'])
  subscriptions.askSnapshots(['B'])
  await time.advance(REPLY_MS)
  expect(failed).toEqual(failures)
  expect(snapshots).toEqual(asked)
})
