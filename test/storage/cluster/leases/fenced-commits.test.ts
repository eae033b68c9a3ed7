// Goal: a commit takes effect only while its recorder holds every lease that it names, and otherwise changes nothing;
// in PostgreSQL and in its double alike.

import { describe, expect, test } from 'bun:test'
import type { Leases, TakenLease } from '../../../../storage/cluster/leases/leases.ts'
import { MemoryLeases } from '../../../../storage/cluster/leases/memory-leases.ts'
import { openPostgresDatabase } from '../../../../storage/cluster/postgres/postgres-database.ts'
import { openPostgresLeases } from '../../../../storage/cluster/postgres/postgres-leases.ts'
import { type Fence, FencedOut } from '../../../../storage/fence.ts'
import { makeEmptyPostgres } from '../../../support/accounts.ts'
import { emptyRows, MemoryDatabase } from '../../../support/cluster/memory-database.ts'
import { change, commit, day, headOf, type Rows, rowOf, segmentOf } from '../database/made-rows.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']
const GROUP = 'main'
const LIVES = 60_000
const EXPIRED = -1

type Open = () => Promise<{ rows: Rows; leases: Leases } & AsyncDisposable>

const openMemory: Open = async () => {
  const all = emptyRows()
  const rows = new MemoryDatabase(all)
  return { rows, leases: new MemoryLeases(all.leases, Date.now), [Symbol.asyncDispose]: () => rows.close() }
}

const openPostgres: Open = async () => {
  const empty = (await makeEmptyPostgres())!
  const settings = { url: empty.url, schema: 'backbook', timeoutMs: 10_000 }
  const rows = await openPostgresDatabase(settings, { mayWrite: true })
  const leases = await openPostgresLeases(settings)
  return {
    rows,
    leases,
    async [Symbol.asyncDispose]() {
      await Promise.all([rows.close(), leases.close()])
      await empty[Symbol.asyncDispose]()
    },
  }
}

async function takeAll(leases: Leases, holder: string, ttlMs = LIVES): Promise<TakenLease[]> {
  const { leases: seen } = await leases.turn({ group: GROUP, holder, ttlMs, held: [] })
  const taken = []
  for (const each of seen) taken.push(await leases.take(each, { holder, ttlMs }))
  return taken.filter((each) => each !== undefined)
}

const put = (rows: Rows, key: string, fences: Fence[], revision = 0) => {
  const changed = change('A', revision, day('2026-07-20', { head: headOf(5), put: [1] }))
  return rows.commitRows({ ...commit(key, changed), fences })
}

async function requireOut(rows: Rows, key: string, fences: Fence[], lost: Fence[]): Promise<void> {
  const before = await rowOf(rows, 'A')
  const refused = await put(rows, key, fences, before?.revision ?? 0).catch((error) => error)
  expect(refused).toBeInstanceOf(FencedOut)
  expect((refused as FencedOut).fences).toEqual(lost)
  expect(await rowOf(rows, 'A')).toEqual(before!)
  expect(await rows.unknown([segmentOf(key).key])).toEqual([segmentOf(key).key])
}

function suite(open: Open) {
  test('it takes effect while its lease is held, also once it has expired and nobody took it', async () => {
    await using opened = await open()
    const { rows, leases } = opened
    await leases.prepare(GROUP, 1)
    const [{ fence }] = (await takeAll(leases, 'a', EXPIRED)) as [TakenLease]
    expect(await put(rows, 'one', [fence])).toEqual([])
    expect((await rowOf(rows, 'A'))!.revision).toBe(1)
  })

  test('it changes nothing once another recorder has the lease, or the same one anew', async () => {
    await using opened = await open()
    const { rows, leases } = opened
    await leases.prepare(GROUP, 1)
    const [first] = (await takeAll(leases, 'a', EXPIRED)) as [TakenLease]
    const [second] = (await takeAll(leases, 'b', EXPIRED)) as [TakenLease]
    await requireOut(rows, 'one', [first.fence], [first.fence])
    const [third] = (await takeAll(leases, 'b')) as [TakenLease]
    await requireOut(rows, 'two', [second.fence], [second.fence])
    expect(await put(rows, 'three', [third.fence])).toEqual([])
  })

  test('it changes nothing where one of several leases is lost, and says which', async () => {
    await using opened = await open()
    const { rows, leases } = opened
    await leases.prepare(GROUP, 2)
    const fences = (await takeAll(leases, 'a')).map(({ fence }) => fence)
    await leases.giveBack([{ fence: fences[1]!, heard: null }])
    await requireOut(rows, 'one', fences, [fences[1]!])
    expect(await put(rows, 'two', [fences[0]!])).toEqual([])
  })
}

describe('a fenced commit in memory', () => suite(openMemory))
if (POSTGRES !== undefined) describe('a fenced commit in PostgreSQL', () => suite(openPostgres))
else
  describe.skip('a fenced commit in PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', () =>
    suite(openMemory))
