// Replays the real captures in the venues' protocols. Every record arrives in order, unchanged or converted to the
// present form.

import { afterAll, expect, test } from 'bun:test'
import { basename } from 'node:path'
import { KALSHI_PATH } from '../../../src/replay/venues/kalshi/protocol.ts'
import { POLYMARKET_PATH } from '../../../src/replay/venues/polymarket/protocol.ts'
import type { Venue } from '../../../storage/venue.ts'
import { allCaptures, capture, hasCaptures } from '../../support/captures.ts'
import { ReplayClient, serveReplay } from '../../support/replay/replay-server.ts'
import { type StoredRecord, TestStore } from '../../support/store.ts'

const stores: TestStore[] = []
afterAll(async () => {
  for (const store of stores) await store.close()
})

const filesOf = (venue: Venue) =>
  allCaptures().filter((file) => file.startsWith(capture(venue)) && !/rest-books|gamma/.test(file))

test
  .skipIf(!hasCaptures)
  .each([
    ...filesOf('kalshi').map((file) => [basename(file), 'kalshi', file] as const),
    ...filesOf('polymarket').map((file) => [basename(file), 'polymarket', file] as const),
  ])(
  '%s (%s)',
  async (_, venue, file) => {
    const store = new TestStore()
    stores.push(store)
    await store.load(file)
    using server = serveReplay(store.store)
    const { catalogue } = store.store
    const { markets } = await catalogue.markets(venue, { prefix: '', offset: 0, limit: 1_000 })
    const days = await Promise.all(markets.map((market) => catalogue.heads(venue, market)))
    const dates = [...new Set(days.flat().map(({ date }) => date))].sort()
    const client = new ReplayClient(
      `${server.url}${venue === 'kalshi' ? KALSHI_PATH : POLYMARKET_PATH}?from=${dates[0]}&to=${dates.at(-1)}&speed=0`,
    )
    const assets = [...new Set(days.flat().flatMap(({ head }) => head.books.map(({ id }) => id)))]
    await client.send(
      venue === 'kalshi'
        ? { id: 1, cmd: 'subscribe', params: { channels: CHANNELS, market_tickers: markets } }
        : { type: 'market', assets_ids: assets },
    )
    expect(await client.closed).toEqual({ code: 1000, reason: 'the replay has ended' })
    const all = await Promise.all(
      markets.flatMap((market) => dates.map((date) => store.records(venue, market, date, 100_000))),
    )
    const expected = all.flat().sort((a, b) => a.timestamp - b.timestamp)
    const got = client.messages.slice(venue === 'kalshi' ? CHANNELS.length : 0)
    expect(got.length).toBe(expected.length)
    const differing = expected.findIndex(
      (record, i) => !Bun.deepEquals(sentOf(venue, got[i]!), ofToday(record.msg), true),
    )
    expect(differing < 0 ? undefined : [expected[differing], got[differing]]).toBeUndefined()
  },
  120_000,
)

const CHANNELS = ['orderbook_delta', 'trade', 'ticker', 'market_lifecycle_v2']

/** Returns the part of a message that a record stores. */
const sentOf = (venue: Venue, message: Record<string, unknown>): StoredRecord['msg'] =>
  (venue === 'kalshi' && 'sid' in message ? message['msg'] : message) as object

/** Converts a message of 2025 to the form that a replay sends, in which each entry names its book and hash. */
function ofToday(msg: object): object {
  const { changes, asset_id, hash, ...rest } = msg as Record<string, unknown>
  if (!Array.isArray(changes)) return msg
  return { ...rest, price_changes: changes.map((change: object) => ({ ...change, asset_id, hash })) }
}
