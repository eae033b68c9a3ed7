// Leases in the double and in PostgreSQL, by one suite. A time to live below zero has expired when it is given.

import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import type { HeldLease, LeaseRow, Leases } from '../../../../storage/cluster/leases/leases.ts'
import { leaseName } from '../../../../storage/cluster/leases/leases.ts'
import { emptyLeases, MemoryLeases } from '../../../../storage/cluster/leases/memory-leases.ts'
import { openPostgresLeases } from '../../../../storage/cluster/postgres/postgres-leases.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']
const LIVES = 60_000
const EXPIRED = -1
const NOTHING = { untilMs: null, books: null }

type Opened = { group: string; leases: Leases }
let groups = 0

function suite(open: () => Promise<Leases>) {
  const opened: Leases[] = []
  const openGroup = async (count = 3): Promise<Opened> => {
    const leases = await open()
    opened.push(leases)
    const group = `group${++groups}`
    await leases.prepare(group, count)
    return { group, leases }
  }
  afterAll(() => Promise.all(opened.map((each) => each.close())))

  const turn = ({ group, leases }: Opened, holder: string, held: HeldLease[] = [], ttlMs = LIVES) =>
    leases.turn({ group, holder, ttlMs, held })
  const statesOf = (rows: LeaseRow[]) => rows.map(({ holder, epoch, state }) => `${holder} ${epoch} ${state}`)
  const takeFirst = async (place: Opened, holder: string, ttlMs = LIVES) => {
    const [seen] = (await turn(place, holder)).leases
    return (await place.leases.take(seen!, { holder, ttlMs }))!
  }

  test('a group has as many leases as it was made with, all of them free', async () => {
    const place = await openGroup()
    await place.leases.prepare(place.group, 7)
    const { recorders, leases } = await turn(place, 'a')
    expect(recorders).toEqual(['a'])
    expect(leases.map(({ lease }) => lease)).toEqual([0, 1, 2].map((shard) => leaseName(place.group, shard)))
    expect(statesOf(leases)).toEqual(Array(3).fill('null 0 free'))
  })

  test('groups do not see one another', async () => {
    const [one, other] = [await openGroup(), await openGroup(2)]
    await takeFirst(one, 'a')
    const seen = await turn(other, 'b')
    expect(seen.recorders).toEqual(['b'])
    expect(statesOf(seen.leases)).toEqual(Array(2).fill('null 0 free'))
  })

  test('one of two who saw the same lease takes it', async () => {
    const place = await openGroup(1)
    const [seen] = (await turn(place, 'a')).leases
    const taken = await place.leases.take(seen!, { holder: 'a', ttlMs: LIVES })
    expect(taken).toEqual({ fence: { lease: seen!.lease, holder: 'a', epoch: 1 }, heard: NOTHING })
    expect(await place.leases.take(seen!, { holder: 'b', ttlMs: LIVES })).toBeUndefined()
  })

  test('one that is held is nobody else’s until it has expired', async () => {
    const place = await openGroup(1)
    const { fence } = await takeFirst(place, 'a')
    const [held] = (await turn(place, 'b')).leases
    expect(held).toEqual({ lease: fence.lease, holder: 'a', epoch: 1, state: 'held' })
    expect(await place.leases.take(held!, { holder: 'b', ttlMs: LIVES })).toBeUndefined()
    await turn(place, 'a', [{ fence, heard: null }], EXPIRED)
    const [expired] = (await turn(place, 'b')).leases
    expect(expired!.state).toBe('expired')
    expect((await place.leases.take(expired!, { holder: 'b', ttlMs: LIVES }))!.fence.epoch).toBe(2)
  })

  test('one that has expired is renewed while nobody took it, and not afterwards', async () => {
    const place = await openGroup(1)
    const { fence } = await takeFirst(place, 'a', EXPIRED)
    expect(statesOf((await turn(place, 'a', [{ fence, heard: null }])).leases)).toEqual(['a 1 held'])
    const [seen] = (await turn(place, 'a', [{ fence, heard: null }], EXPIRED)).leases
    await place.leases.take(seen!, { holder: 'b', ttlMs: EXPIRED })
    const heard = { untilMs: 5, books: Uint8Array.of(1) }
    expect(statesOf((await turn(place, 'a', [{ fence, heard }])).leases)).toEqual(['b 2 expired'])
    await place.leases.giveBack([{ fence, heard }])
    const [still] = (await turn(place, 'c')).leases
    expect(still!.holder).toBe('b')
    expect((await place.leases.take(still!, { holder: 'c', ttlMs: LIVES }))!.heard).toEqual(NOTHING)
  })

  test('what was heard goes from holder to holder; books stay as they were told last', async () => {
    const place = await openGroup(1)
    const { fence } = await takeFirst(place, 'a')
    await turn(place, 'a', [{ fence, heard: { untilMs: 1_700_000_000_000.5, books: Uint8Array.of(1, 0, 255) } }])
    await turn(place, 'a', [{ fence, heard: null }])
    await turn(place, 'a', [{ fence, heard: { untilMs: 1_700_000_000_001.5, books: null } }])
    await place.leases.giveBack([{ fence, heard: null }])
    const [free] = (await turn(place, 'b')).leases
    expect(free).toEqual({ lease: fence.lease, holder: null, epoch: 1, state: 'free' })
    const taken = await place.leases.take(free!, { holder: 'b', ttlMs: LIVES })
    expect(taken!.fence.epoch).toBe(2)
    expect(taken!.heard).toEqual({ untilMs: 1_700_000_000_001.5, books: Uint8Array.of(1, 0, 255) })
    await place.leases.giveBack([{ fence: taken!.fence, heard: { untilMs: 7, books: Uint8Array.of(2) } }])
    expect((await takeFirst(place, 'c')).heard).toEqual({ untilMs: 7, books: Uint8Array.of(2) })
  })

  test('recorders that said nothing for their time, or left, are not counted', async () => {
    const place = await openGroup()
    await turn(place, 'c')
    await turn(place, 'a', [], EXPIRED)
    expect((await turn(place, 'b')).recorders).toEqual(['b', 'c'])
    await place.leases.leave(place.group, 'c')
    expect((await turn(place, 'b')).recorders).toEqual(['b'])
  })

  test('many who take at once share without two holding one', async () => {
    const place = await openGroup(8)
    const seen = (await turn(place, 'a')).leases
    const holders = ['a', 'b', 'c', 'd']
    const taken = await Promise.all(
      seen.flatMap((lease) => holders.map((holder) => place.leases.take(lease, { holder, ttlMs: LIVES }))),
    )
    const names = taken.flatMap((each) => each?.fence.lease ?? [])
    expect(names.sort()).toEqual(seen.map(({ lease }) => lease))
    await Promise.all(
      holders.map((holder) => {
        const held = taken.flatMap((each) =>
          each?.fence.holder === holder ? [{ fence: each.fence, heard: null }] : [],
        )
        return turn(place, holder, held.reverse())
      }),
    )
    expect((await turn(place, 'a')).leases.every(({ state, epoch }) => state === 'held' && epoch === 1)).toBe(true)
  })
}

describe('leases in memory', () => {
  const rows = emptyLeases()
  suite(async () => new MemoryLeases(rows, () => 1_000))
})

if (POSTGRES === undefined)
  describe.skip('leases in PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', () => {})
else {
  describe('leases in PostgreSQL', () => {
    const schema = `leases_${process.pid}`
    suite(() => openPostgresLeases({ url: POSTGRES, schema, timeoutMs: 30_000 }))
    afterAll(async () => {
      const sql = new SQL(POSTGRES)
      await sql.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await sql.close()
    })
  })
}
