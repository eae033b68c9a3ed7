// Goal: a market whose book never arrives does not end working sockets again and again.

import { expect, test } from 'bun:test'
import { RestError } from '../../../../src/record/rest/rest-host.ts'
import { messagesIn } from '../../../../src/record/venues/kalshi/frame.ts'
import { Subscriptions } from '../../../../src/record/venues/kalshi/subscriptions.ts'
import { FakeTime } from '../../../support/venues/fake-time.ts'
import { KalshiScene, snapshot, subscribed } from '../../../support/venues/kalshi-scene.ts'
import { subscriptionLink } from '../../../support/venues/subscription-link.ts'

const REPLY_MS = 10_000

test.each([
  [true, true, [], [['A'], ['B']]],
  [false, true, [`no answer to get_snapshot within ${REPLY_MS} ms`], [['A']]],
  [false, false, [], [['A'], ['B']]],
])(
  'a book is not sent; other data arrives: %p; the missing book is news: %p',
  async (hasOtherData, isNews, failures, requested) => {
    const time = new FakeTime(1_786_410_000_000)
    const failed: string[] = []
    const snapshots: (readonly string[])[] = []
    const link = subscriptionLink(time, (nowMs) => subscriptions.due(nowMs), {
      sent: ({ command }) => void (command.cmd === 'get_snapshot' && snapshots.push(command.tickers)),
      state: () => undefined,
      reconnect: (_, because) => {
        failed.push(because)
        subscriptions.close()
      },
    })
    const subscriptions: Subscriptions = new Subscriptions(
      link,
      {
        ended: () => undefined,
        hasSentData: () => hasOtherData,
        isNews: () => isNews,
        halveLimit: () => 100,
        refused: () => undefined,
      },
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
    expect(snapshots).toEqual(requested)
  },
)

test('a book that never arrives ends only one socket, and one more after it arrived once', async () => {
  const silentBooks = new Set<string>()
  const endsFor = async (...known: object[]) => {
    const scene = new KalshiScene(silentBooks)
    scene.answer = new RestError('refused', 404, 'GET: the answer was 404')
    scene.read(subscribed('orderbook_delta', 1), subscribed('trade', 2), ...known)
    await scene.time.advance(60_000)
    scene.session.snapshotsMissing(['A'])
    await scene.time.advance(REPLY_MS)
    return scene.callsOf('reconnect').length
  }
  expect([await endsFor(), await endsFor(), await endsFor()]).toEqual([1, 0, 0])
  expect([await endsFor(snapshot('A', 1)), await endsFor()]).toEqual([1, 0])
})
