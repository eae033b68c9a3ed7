// Streams of a growing market, over connections that break.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProblemError } from 'backbook-client'
import { client, counting, grow, newMarket, passOn, refuse, serving, TICKER, take } from './support.mjs'

// Node has a built-in WebSocket since version 22.
const overs = ['events', ...(globalThis.WebSocket === undefined ? [] : ['socket'])]

test('broken connections lose nothing and repeat nothing', async () => {
  const market = newMarket()
  grow(market)
  // The first connection breaks after two messages, the second at once, the third after two more.
  const parts = [2, 0, 2]
  await serving(
    (question, response, count) => passOn(question, response, parts[count] ?? Number.POSITIVE_INFINITY),
    async (url, asked) => {
      const { asking, waits } = counting(url)
      const stream = asking.stream({ markets: [`kalshi:${market}`], channels: ['records'] })
      const messages = stream[Symbol.asyncIterator]()
      const begin = await messages.next()
      assert.equal(begin.value.type, 'begin')
      grow(market, 10, 20, 30, 40)
      const records = []
      for (let i = 0; i < 4; i++) records.push((await messages.next()).value)
      await messages.return()
      assert.deepEqual(
        records.map(({ timestamp }) => timestamp - 1786363200000),
        [10, 20, 30, 40],
      )
      // Messages sent just before a break may be lost in transit. The next connection sends them again.
      const [first, ...after] = asked.map(({ headers }) => headers['last-event-id'])
      const given = [begin.value, ...records].map(({ position }) => position)
      assert.equal(first, undefined)
      assert.ok(after.length >= 2 && after.every((position) => given.includes(position)))
      assert.equal(waits.length, after.length)
      assert.equal(stream.position, records[3].position)
    },
  )
})

for (const over of overs) {
  test(`another program continues after a position, over ${over}`, async () => {
    const market = newMarket()
    grow(market)
    const question = { markets: [`kalshi:${market}`], channels: ['book', 'quotes'], over }
    const stream = client().stream(question)
    assert.deepEqual((await take(stream, 4)).map(({ channel, type }) => `${channel} ${type}`).sort(), [
      'book begin',
      'book book',
      'quotes begin',
      'quotes quote',
    ])
    grow(market, 10)
    const [change, quote] = await take(client().stream({ ...question, after: stream.position }), 2)
    assert.deepEqual(change.changes, [{ side: 'bid', price: 0.45, before: 0, after: 1 }])
    assert.equal(quote.best_bid, 0.45)
  })

  test(`refusals are raised, over ${over}`, async () => {
    const refused = client().stream({ markets: ['kalshi:KXNOBODY-1'], channels: ['quotes'], over })
    await assert.rejects(take(refused, 1), { code: 'market_not_stored' })
    const other = client().stream({ markets: [`kalshi:${TICKER}`], channels: ['quotes'], after: 'AAAA', over })
    await assert.rejects(take(other, 1), { code: 'cursor_invalid' })
  })
}

test('a quota ends a stream at once, and failures in a row may be limited', async () => {
  const question = { markets: [`kalshi:${TICKER}`], channels: ['quotes'], failuresMax: 2 }
  for (const [status, code, tries] of [
    [429, 'quota_exceeded', 1],
    [503, 'overloaded', 3],
  ]) {
    await serving(
      (_, response) => refuse(response, status, code, 2),
      async (url, asked) => {
        const { asking, waits } = counting(url)
        await assert.rejects(
          take(asking.stream(question), 1),
          (error) => error instanceof ProblemError && error.code === code,
        )
        assert.deepEqual([asked.length, waits], [tries, Array(tries - 1).fill(2_000)])
      },
    )
  }
})

test('a signal ends a stream', async () => {
  const ending = new AbortController()
  const stream = client().stream({ markets: [`kalshi:${TICKER}`], channels: ['quotes'], signal: ending.signal })
  let count = 0
  for await (const _ of stream) if (++count === 2) ending.abort()
  assert.equal(count, 2)
})

test('a runtime without WebSocket raises an error', { skip: globalThis.WebSocket !== undefined }, async () => {
  const stream = client().stream({ markets: [`kalshi:${TICKER}`], channels: ['quotes'], over: 'socket' })
  await assert.rejects(take(stream, 1), /this runtime has no WebSocket/)
})

test('null counts as no position', async () => {
  const stream = client().stream({ markets: [`kalshi:${TICKER}`], channels: ['quotes'], after: null })
  assert.equal((await take(stream, 1))[0].type, 'begin')
})
