// Compares the messages that a market sends as it grows with the model: random captures, cut into commits, read in
// pieces of any size, and resumed after any message.

import { describe, expect, test } from 'bun:test'
import { readCapture } from '../../test/model/capture.ts'
import { kalshiDelta, kalshiSnapshot, kalshiTrade, NOON, received, TICKER } from '../../test/model/lines.ts'
import { ModelStore } from '../../test/model/model.ts'
import { seeds } from '../../test/run/effort.ts'
import { STORE_KINDS, withStoreOf } from '../../test/support/store.ts'
import { expectAsModel } from '../../test/support/stream/expect-stream.ts'
import { readStream, type Sent, WHOLE } from '../../test/support/stream/read-stream.ts'
import { StreamClient } from '../../test/support/stream/stream-client.ts'
import { CONDITION, RandomCapture, TICKERS } from '../../test/workers/load/random-capture.ts'
import { Random } from '../synthetic/random.ts'
import { CHANNELS, type Channel, type Followed } from './follow-request.ts'

type Market = { venue: 'kalshi' | 'polymarket'; market: string; channels: readonly Channel[] }

describe.each(STORE_KINDS)('followMarket on %s', (kind) => {
  test.each(seeds(1, 2, 16))('sends the messages of the model, seed %i', async (seed) => {
    const random = new Random(seed, 'follow')
    await withStoreOf(kind, async (store) => {
      // The second capture falls behind the first, in the end by days, so its records are merged.
      const captures = [seed, seed + 1_000].map((each) => new RandomCapture(each, random.chance(0.5)))
      const model = new ModelStore()
      const followed = [CONDITION, ...TICKERS].map((market) => ({
        of: { venue: market === CONDITION ? 'polymarket' : 'kalshi', market, channels: CHANNELS } as Market,
        client: new StreamClient(),
        position: null as Followed | null,
        /** Copies of the client after some earlier messages. */
        earlier: [] as { client: StreamClient; position: Followed | null }[],
      }))
      for (let commit = 0; commit < 12; commit++) {
        const lines = captures[random.chance(0.8) ? 0 : 1]!.lines(random.between(2, 30))
        await store.loadLines(`${commit}.ndjson`, lines)
        model.load(readCapture(`${commit}`, lines.join('\n')), Date.now())
        for (const each of followed) {
          const limits = random.pick([WHOLE, { bytes: 1, records: 100, step: 1 }, { bytes: 900, records: 3, step: 2 }])
          const { sent, position } = await readStream(store, each.of, each.position, limits)
          for (const { message, position: after } of sent) {
            each.client.apply(message)
            if (random.chance(0.2)) each.earlier.push({ client: each.client.copy(), position: after })
          }
          each.position = position
          expectAsModel(each.client, model, each.of.venue, each.of.market)
          for (const { client, position: from } of each.earlier) {
            const resumed = client.copy()
            for (const { message } of (await readStream(store, each.of, from, WHOLE)).sent) resumed.apply(message)
            expectAsModel(resumed, model, each.of.venue, each.of.market)
          }
          each.earlier = each.earlier.filter(() => random.chance(0.5))
        }
      }
    })
  })
})

test('a quote within an inferred gap is doubtful, as far as known when it is sent', async () => {
  const of: Market = { venue: 'kalshi', market: TICKER, channels: ['book', 'quotes'] }
  const snapshot = (ms: number) => received(ms, kalshiSnapshot([['0.40', '10']], [['0.55', '20']]))
  await withStoreOf('lmdb', async (store) => {
    const load = (name: string, ...lines: object[]) =>
      store.loadLines(
        name,
        lines.map((line) => JSON.stringify(line)),
      )
    const trustsIn = (sent: Sent[]) =>
      sent.flatMap(({ message: { type, timestamp, trust } }) =>
        type === 'quote' || type === 'book' ? `${type} ${Number(timestamp) - NOON}: ${trust}` : [],
      )
    await load('1', snapshot(0), kalshiDelta(1, '0.40', '-4'))
    const first = await readStream(store, of, 'nothing', WHOLE)
    await load('2', kalshiDelta(2, '0.40', '-9'), kalshiDelta(3, '0.41', '1'))
    const second = await readStream(store, of, first.position, WHOLE)
    await load('3', snapshot(9))
    const third = await readStream(store, of, second.position, WHOLE)
    expect([first, second, third].map(({ sent }) => trustsIn(sent))).toEqual([
      ['quote 0: established', 'quote 1: established'],
      ['quote 2: doubtful', 'quote 3: doubtful'],
      ['quote 9: established'],
    ])
    // A later request knows all evidence.
    const { sent } = await readStream(store, of, 'nothing', WHOLE)
    expect(trustsIn(sent)).toContain('quote 1: doubtful')
    await load('4', kalshiDelta(10, '0.40', '-99'))
    expect(trustsIn((await readStream(store, of, null, WHOLE)).sent)).toEqual([
      'book 10: doubtful',
      'quote 10: doubtful',
    ])
    // A book stays doubtful over a day without a change.
    const nextDayMs = 86_400_000
    await load('5', kalshiTrade(nextDayMs, 'T'))
    const begun = trustsIn((await readStream(store, of, null, WHOLE)).sent)
    expect(begun).toEqual([`book ${nextDayMs}: doubtful`, 'quote 10: doubtful'])
  })
})
