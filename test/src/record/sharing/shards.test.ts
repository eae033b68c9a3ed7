// Goal: a recorder records nothing of a shard, and could store it, before the database knows its books, also where it
// takes the shard in the very turn in which the database answers again.

import { expect, test } from 'bun:test'
import type { VenueConnections } from '../../../../src/record/run/venue-connections.ts'
import { booksOf } from '../../../../src/record/sharing/shard-books.ts'
import { Shards } from '../../../../src/record/sharing/shards.ts'
import { PACE } from '../../../../src/record/sharing/sharing.ts'
import { RecorderFigures } from '../../../../src/record/status/recorder-figures.ts'
import { type LeaseRow, type LeaseTurn, leaseName } from '../../../../storage/cluster/leases/leases.ts'
import { emptyLeases, MemoryLeases } from '../../../../storage/cluster/leases/memory-leases.ts'
import { shardOf } from '../../../../storage/cluster/leases/sharing.ts'
import { DataError } from '../../../../storage/failures.ts'
import { FakeTime } from '../../../support/venues/fake-time.ts'

const SHARDS = 2
/** A market of each shard. */
const MARKETS = Array.from({ length: SHARDS }, (_, shard) => {
  for (let i = 0; ; i++) if (shardOf('kalshi', `KX-${i}`, SHARDS) === shard) return `KX-${i}`
})

test('a shard that is taken when the database answers again is recorded after it was told', async () => {
  const time = new FakeTime(Date.UTC(2026, 8, 1, 12))
  const events: string[] = []
  let failing = leaseName('main', 1)
  const leases = new (class extends MemoryLeases {
    override async turn(turn: LeaseTurn) {
      const told = turn.held.flatMap(({ heard }) => (heard === null ? [] : booksOf(heard)))
      for (const { market } of told) events.push(`told ${market}`)
      return super.turn(turn)
    }
    override async take(seen: LeaseRow, taker: { holder: string; ttlMs: number }) {
      if (seen.lease !== failing) return super.take(seen, taker)
      failing = ''
      throw new DataError('store_unavailable', 'The catalogue does not answer')
    }
  })(emptyLeases(), () => time.nowMs)
  await leases.prepare('main', SHARDS)
  const connections = {
    under: () => [],
    drop: () => undefined,
    want(markets: { market: string | null }[]) {
      for (const { market } of markets) if (!events.includes(`recorded ${market}`)) events.push(`recorded ${market}`)
      return []
    },
  } as unknown as VenueConnections
  const shards = new Shards({
    ...{ leases, group: 'main', holder: 'a:1', pace: PACE, clock: time.clock, timers: time.timers },
    figures: new RecorderFigures(time.nowMs),
    log: { info: () => undefined, warn: () => undefined },
    loading: {
      addCount: 0,
      commit: async () => undefined,
      hold: (isHeld) => void events.push(isHeld ? 'held' : 'not held'),
    },
    connections: new Map([['kalshi', connections]]),
    flush: () => true,
  })
  shards.want(MARKETS.map((market) => ({ venue: 'kalshi', market, books: [market] })))
  shards.start()
  await time.advance(3 * PACE.turnMs)
  const [first, second] = MARKETS
  expect(events).toEqual([
    'held',
    `recorded ${first}`,
    `told ${first}`,
    'not held',
    `told ${second}`,
    `recorded ${second}`,
  ])
  await shards.stop(false)
})
