// A store that refuses commits for a while loses nothing and stores nothing twice. Damage of one market or one segment
// does not stop the others.

import { describe, expect, test } from 'bun:test'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DataError } from '../../../storage/failures.ts'
import { LiveLoad } from '../../../workers/live-load/live-load.ts'
import { newLeftoverReport } from '../../../workers/live-load/live-loading.ts'
import { newFolder, segmentsBelow } from '../../../workers/segment/segment-folder.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { memoryStore } from '../../support/memory-store/memory-store.ts'
import { TestStore } from '../../support/store.ts'
import { Connection, START_MS, TICKERS, venueMessages } from './recording.ts'
import { storedContents } from './stored-contents.ts'

const MESSAGES = [...venueMessages(new Random(3, 'failures'), 200)]
const NOW_MS = MESSAGES.at(-1)!.ms + 60_000

type Failing = { failure: DataError | null; market?: string }

/** Returns a store in memory whose commits throw while `failing.failure` is set. */
function failingStore(failing: Failing): TestStore<ReturnType<typeof memoryStore>> {
  return new TestStore(() =>
    memoryStore({
      before(call) {
        if (call === 'commit' && failing.failure !== null) throw failing.failure
      },
    }),
  )
}

function loadOf(store: TestStore<ReturnType<typeof memoryStore>>) {
  const load = new LiveLoad(store.store, { dataFolder: store.folder, nowMs: () => NOW_MS, batchPartitions: 1 })
  const open = (connection: string) => {
    const made = new Connection(store.folder, { connection, nowMs: () => START_MS })
    let from = 0
    const add = (bytes: Uint8Array, inMemory = true) => {
      load.add(made.segment.name, { from, length: bytes.length, bytes: inMemory ? bytes : null })
      from += bytes.length
    }
    return { made, add }
  }
  return { load, open }
}

describe('a commit that fails', () => {
  test('keeps everything for the next one', async () => {
    const failing: Failing = { failure: new DataError('disk_full', 'The disk is full') }
    const store = failingStore(failing)
    const { load, open } = loadOf(store)
    const { made, add } = open('c')
    for (const [i, venueMessage] of MESSAGES.entries()) {
      made.receive(venueMessage)
      if (i === 100) add(made.segment.flush())
    }
    const full = { failure: { code: 'disk_full', message: 'The disk is full' }, recordsAdded: 0, loaded: [] }
    expect(await load.commit()).toMatchObject(full)
    add(made.segment.close())
    load.closed(made.segment.name)
    expect(await load.commit()).toMatchObject(full)
    expect(load.queuedBytes).toBeGreaterThan(0)
    expect(segmentsBelow(newFolder(store.folder))).toEqual([made.segment.name])
    failing.failure = null
    const first = await load.commit(true)
    const second = await load.commit(true)
    expect([first, second]).toMatchObject([{ failure: null }, { failure: null, loaded: [made.segment.name] }])
    expect(first.messages + second.messages).toBe(MESSAGES.length)
    const live = await storedContents(store as never)
    const whole = failingStore({ failure: null })
    await whole.load(join(store.folder, 'segments/loaded', made.segment.name))
    expect(live).toEqual(await storedContents(whole as never))
    await Promise.all([store.close(), whole.close()])
  })
})

test('a commit that fails between two connections resumes with the second', async () => {
  const full = new DataError('disk_full', 'The disk is full')
  let commits = 0
  const store = new TestStore(() =>
    memoryStore({
      before(call) {
        if (call === 'commit' && ++commits > 1 && commits < 4) throw full
      },
    }),
  )
  const { load, open } = loadOf(store)
  const opened = ['c0', 'c1', 'c2'].map((name) => open(name))
  for (const [i, venueMessage] of MESSAGES.entries()) opened[i % 3]!.made.receive(venueMessage)
  for (const { made, add } of opened) {
    add(made.segment.close())
    load.closed(made.segment.name)
  }
  const first = await load.commit(true)
  expect(first).toMatchObject({ failure: { code: 'disk_full' }, loaded: [] })
  expect(first.messages).toBeGreaterThan(0)
  expect(await load.commit(true)).toEqual({ ...first, tookMs: expect.any(Number) })
  const last = await load.commit(true)
  expect(last).toMatchObject({ failure: null, errors: [], messages: MESSAGES.length })
  expect(last.loaded).toEqual(opened.map(({ made }) => made.segment.name))
  expect(load.hasMore).toBe(false)
  const live = await storedContents(store as never)
  const whole = failingStore({ failure: null })
  await whole.load(...last.loaded.map((name) => join(store.folder, 'segments/loaded', name)))
  expect(live).toEqual(await storedContents(whole as never))
  const stored = (live as { recordCount?: number }[]).reduce((sum, { recordCount = 0 }) => sum + recordCount, 0)
  expect(last.recordsAdded).toBe(stored)
  await Promise.all([store.close(), whole.close()])
})

test('a segment that was abandoned before its first flush is over', async () => {
  const store = failingStore({ failure: null })
  const { load, open } = loadOf(store)
  const { made } = open('c')
  made.receive(MESSAGES[0]!)
  made.segment.abandon()
  load.closed(made.segment.name)
  expect(await load.commit()).toMatchObject({ failure: null, errors: [], messages: 0, loaded: [made.segment.name] })
  expect(segmentsBelow(newFolder(store.folder))).toEqual([])
  await store.close()
})

describe('damage', () => {
  test('of one market does not stop the others, and its segment stays', async () => {
    const damaged = TICKERS[0]!
    const store = new TestStore(() => memoryStore())
    const { catalogue } = store.store
    const revision = catalogue.revision.bind(catalogue)
    const broken = new Proxy(catalogue, {
      get: (target, name) => {
        if (name !== 'revision') return (target[name as keyof typeof target] as () => unknown).bind(target)
        return (...[venue, market]: Parameters<typeof revision>) => {
          if (market === damaged) throw new DataError('block_corrupt', `Stored data of ${market} is damaged`)
          return revision(venue, market)
        }
      },
    })
    const load = new LiveLoad({ ...store.store, catalogue: broken }, { dataFolder: store.folder, nowMs: () => NOW_MS })
    const made = [TICKERS[0], TICKERS[1]].map((ticker, i) => {
      const connection = new Connection(store.folder, { connection: `c${i}`, nowMs: () => START_MS })
      for (const venueMessage of MESSAGES.filter(({ market }) => market === ticker)) connection.receive(venueMessage)
      const bytes = connection.segment.close()
      load.add(connection.segment.name, { from: 0, length: bytes.length, bytes })
      load.closed(connection.segment.name)
      return connection.segment.name
    })
    const report = await load.commit()
    expect(report).toMatchObject({ failure: null, loaded: [made[1]] })
    expect(report.errors).toEqual([{ segment: made[0]!, message: `Stored data of ${damaged} is damaged` }])
    const leftover = newLeftoverReport()
    await load.loadLeftover(made[0]!, leftover)
    expect(leftover).toMatchObject({ segments: 0, errors: report.errors })
    expect((await load.commit()).errors).toEqual([])
    expect(segmentsBelow(newFolder(store.folder))).toEqual([made[0]!])
    expect((await catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 9 })).markets).toEqual([TICKERS[1]!])
    await store.close()
  })

  test('of a segment that has to be read again does not stop the others', async () => {
    const store = failingStore({ failure: null })
    const { load, open } = loadOf(store)
    const [one, other] = [open('c0'), open('c1')]
    for (const venueMessage of MESSAGES.slice(0, 50)) for (const { made } of [one, other]) made.receive(venueMessage)
    one.add(one.made.segment.flush(), false)
    other.add(other.made.segment.flush(), false)
    truncateSync(join(newFolder(store.folder), `${one.made.segment.name}.part`), 10)
    const report = await load.commit()
    expect(report.errors).toMatchObject([{ segment: one.made.segment.name }])
    expect(report.errors[0]!.message).toEndWith('ends before what was flushed to it')
    expect(report.messages).toBe(50)
    expect(load.hasMore).toBe(false)
    load.close()
    for (const { made } of [one, other]) made.segment.abandon()
    await store.close()
  })
})
