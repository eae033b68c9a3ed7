// Goal: what a recorder heard under a lease that is another's now is not committed, stays whole on its disk, and holds
// up nothing else; and a recorder knows how much of what it handed over is stored.

import { afterEach, describe, expect, test } from 'bun:test'
import { clusterStore } from '../../../storage/cluster/cluster-store.ts'
import { MemoryLeases } from '../../../storage/cluster/leases/memory-leases.ts'
import { DataError } from '../../../storage/failures.ts'
import type { Fence } from '../../../storage/fence.ts'
import type { Store } from '../../../storage/open-store.ts'
import { LiveLoad } from '../../../workers/live-load/live-load.ts'
import { findSegment, loadedFolder, newFolder, segmentsBelow } from '../../../workers/segment/segment-folder.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { emptyRows, MemoryDatabase } from '../../support/cluster/memory-database.ts'
import { MemoryObjects } from '../../support/cluster/memory-objects.ts'
import { TestStore } from '../../support/store.ts'
import { Connection, pathOf, type Said, START_MS, saidBy, TICKERS } from './recording.ts'
import { storedContents } from './stored-contents.ts'

const SAID = [...saidBy(new Random(5, 'fenced'), 300)]
const OF_A = SAID.filter(({ market }) => market === TICKERS[0])
const OF_C = SAID.filter(({ market }) => market === TICKERS[2])
const OF_B = SAID.filter(({ market }) => market === TICKERS[1])
const NOW_MS = SAID.at(-1)!.ms + 60_000
const LIVES = 60_000

const opened: TestStore<Store>[] = []
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())))

async function scene() {
  const rows = emptyRows()
  const faults: { failure: DataError | null } = { failure: null }
  class FailingDatabase extends MemoryDatabase {
    override async commitRows(...commit: Parameters<MemoryDatabase['commitRows']>) {
      if (faults.failure !== null) throw faults.failure
      return await super.commitRows(...commit)
    }
  }
  const parts = { objects: new MemoryObjects(), database: new FailingDatabase(rows), isEachCallChecked: true }
  const store = new TestStore<Store>(() => clusterStore(parts))
  opened.push(store)
  const leases = new MemoryLeases(rows.leases, () => START_MS)
  await leases.prepare('main', 2)
  const take = async (index: number, holder: string): Promise<Fence> => {
    const { leases: seen } = await leases.turn({ group: 'main', holder, ttlMs: LIVES, held: [] })
    return (await leases.take({ ...seen[index]!, state: 'free' }, { holder, ttlMs: -1 }))!.fence
  }
  const load = new LiveLoad(store.store, { dataFolder: store.folder, nowMs: () => NOW_MS })
  const open = (connection: string, fence: Fence | null, said: readonly Said[]) => {
    const made = new Connection(store.folder, { connection, nowMs: () => START_MS })
    const { segment } = made
    let from = 0
    if (fence !== null) load.opened(segment.name, fence)
    const add = (bytes: Uint8Array) => {
      load.add(segment.name, { from, length: bytes.length, bytes })
      from += bytes.length
    }
    let told = 0
    return {
      name: segment.name,
      hear(count: number) {
        for (const each of said.slice(told, told + count)) made.hear(each)
        told += count
        add(segment.flush())
      },
      close() {
        add(segment.close())
        load.closed(segment.name)
      },
    }
  }
  const kept = () => segmentsBelow(newFolder(store.folder))
  return { store, load, open, take, faults, kept }
}

describe('a lease that is lost', () => {
  test('nothing of it is committed any more; what another one covers is', async () => {
    const { store, load, open, take, kept } = await scene()
    const [one, two] = [await take(0, 'a'), await take(1, 'a')]
    const [lost, held, free] = [open('c1', one, OF_A), open('c2', two, OF_B), open('c3', null, OF_C)]
    for (const each of [lost, held, free]) each.hear(20)
    expect(await load.commit(true)).toMatchObject({ failure: null, errors: [] })
    const before = await storedContents(store as never)
    await take(0, 'b')
    lost.hear(100)
    held.hear(100)
    const report = await load.commit(true)
    const because = `held by another recorder now: ${one.lease}`
    expect(report).toMatchObject({ failure: null, errors: [{ segment: lost.name, message: because }] })
    const after = await storedContents(store as never)
    expect(after).not.toEqual(before)
    const keyOf = (contents: typeof after) => JSON.stringify(contents).match(/KXLIVE-A/g)?.length
    expect(keyOf(after)).toBe(keyOf(before))
    for (const each of [lost, held, free]) each.close()
    await load.commit(true)
    expect(kept()).toEqual([lost.name])
    const whole = await wholeOf(store, [held.name, free.name, lost.name])
    // The next start loads it as any capture.
    await store.load(findSegment(newFolder(store.folder), lost.name)!)
    expect(await storedContents(store as never)).toEqual(whole)
  })

  test('the same holder with a later epoch commits', async () => {
    const { load, open, take, kept } = await scene()
    const old = open('c1', await take(0, 'a'), OF_A)
    const renewed = open('c2', await take(0, 'a'), OF_A)
    for (const each of [old, renewed]) {
      each.hear(20)
      each.close()
    }
    const { errors, loaded } = await load.commit(true)
    expect(errors.map(({ segment }) => segment)).toEqual([old.name])
    expect(loaded).toEqual([renewed.name])
    expect(kept()).toEqual([old.name])
  })
})

describe('what is stored', () => {
  test('is told by lease, and no more than is committed', async () => {
    const { load, open, take, faults } = await scene()
    const [one, two] = [await take(0, 'a'), await take(1, 'a')]
    const [first, second] = [open('c1', one, OF_A), open('c2', two, OF_B)]
    first.hear(5)
    second.hear(5)
    faults.failure = new DataError('store_unavailable', 'away')
    expect((await load.commit(true)).stored).toBeNull()
    faults.failure = null
    first.hear(5)
    expect((await load.commit(true)).stored).toEqual({ count: 3, waiting: [{ fence: one, from: 2 }] })
    expect((await load.commit(true)).stored).toEqual({ count: 3, waiting: [] })
    await take(0, 'b')
    first.hear(5)
    second.hear(5)
    first.close()
    second.close()
    const lost = { count: 7, waiting: [{ fence: one, from: 3 }] }
    expect((await load.commit(true)).stored).toEqual(lost)
    expect((await load.commit(true)).stored).toEqual(lost)
  })

  test('leaves out the last instant while it may go on', async () => {
    const { load, open, take } = await scene()
    const fence = await take(0, 'a')
    const live = open('c1', fence, OF_A)
    live.hear(8)
    expect((await load.commit()).stored).toEqual({ count: 1, waiting: [{ fence, from: 0 }] })
    live.close()
    expect((await load.commit()).stored).toEqual({ count: 2, waiting: [] })
  })
})

/** The contents of a store that these segments were loaded into one by one. */
async function wholeOf(store: TestStore<Store>, names: string[]) {
  const parts = { objects: new MemoryObjects(), database: new MemoryDatabase(), isEachCallChecked: true }
  const whole = new TestStore<Store>(() => clusterStore(parts))
  opened.push(whole)
  for (const name of names) await whole.load(pathOf(store.folder, name))
  expect(segmentsBelow(loadedFolder(store.folder)).length).toBe(names.length - 1)
  return await storedContents(whole as never)
}
