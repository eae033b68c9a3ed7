// long: it waits for threads and processes
// Goal: the loading thread keeps the recorder's memory bounded, answers when everything is stored, and starts with what
// another process left behind.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStore } from '../../storage/open-store.ts'
import { HAS_ENGINES, makeEngines } from '../../test/support/cluster/engines.ts'
import { relayTo } from '../../test/support/cluster/relay.ts'
import { withStore } from '../../test/support/store.ts'
import { Connection, START_MS, TICKERS, venueMessages } from '../../test/workers/live-load/recording.ts'
import { loadedFolder, moveToLoaded, newFolder, segmentsBelow } from '../segment/segment-folder.ts'
import { Random } from '../synthetic/random.ts'
import { LiveLoader } from './live-loader.ts'
import type { CommitReport, LeftoverReport, LiveLoadHooks } from './live-loading.ts'
import { Retention } from './retention.ts'

const NEVER_SECONDS = 3_600
const MESSAGES = [...venueMessages(new Random(1, 'loader'), 300)]
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-loader-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const connect = (connection: string) => new Connection(folder, { connection })
const start = (queuedBytesMax: number, hooks: LiveLoadHooks = {}) =>
  new LiveLoader(
    { dataFolder: folder, cluster: null, commitSeconds: NEVER_SECONDS, queuedBytesMax, retentionDays: null },
    hooks,
  )

async function storedRecords(): Promise<number> {
  const store = openStore(folder)
  try {
    let count = 0
    for (const venue of ['kalshi', 'polymarket'] as const) {
      for await (const key of store.catalogue.partitions(venue)) count += (await store.catalogue.head(key))!.recordCount
    }
    return count
  } finally {
    await store.close()
  }
}

const engines = HAS_ENGINES ? test : test.skip

describe('LiveLoader', () => {
  test.each([
    ['in memory', 64 << 20],
    ['from the segment, where too much would wait', 3_000],
  ])('commits what it receives, %s', async (_, queuedBytesMax) => {
    const reports: CommitReport[] = []
    const loader = start(queuedBytesMax, { onCommit: (report) => reports.push(report) })
    const connection = connect('c')
    let added = 0
    for (const [i, venueMessage] of MESSAGES.entries()) {
      connection.receive(venueMessage)
      if (i % 7 !== 0) continue
      const bytes = connection.segment.flush()
      added += bytes.length
      loader.add(connection.segment.name, bytes)
      expect(loader.queuedBytes).toBeLessThanOrEqual(queuedBytesMax)
    }
    expect(loader.queuedBytes + loader.bytesToLoad).toBeLessThanOrEqual(added)
    await loader.commit()
    expect([loader.queuedBytes, loader.bytesToLoad]).toEqual([0, 0])
    const asked = [...TICKERS, 'KXNONE'].map((market) => ({ venue: 'kalshi', market, books: [market] }) as const)
    const received = MESSAGES.slice(0, MESSAGES.length - ((MESSAGES.length - 1) % 7))
    const lastMs = (ticker: string) => received.findLast(({ market }) => market === ticker)?.ms
    const expected = asked.map(({ market }) => (market === 'KXNONE' ? [] : [[market, lastMs(market)]]))
    expect((await loader.lastRecords(asked)).map((of) => [...of])).toEqual(expected as never)
    loader.add(connection.segment.name, connection.segment.close())
    loader.closed(connection.segment.name)
    await loader.stop()
    const sum = (of: (report: CommitReport) => number) => reports.reduce((total, report) => total + of(report), 0)
    expect(sum(({ messages }) => messages)).toBe(MESSAGES.length)
    expect(sum(({ recordsAdded }) => recordsAdded)).toBe(await storedRecords())
    expect(sum(({ skipped }) => (skipped['backbook segment'] ?? 0) + (skipped['backbook footer'] ?? 0))).toBe(2)
    expect(reports.flatMap(({ loaded }) => loaded)).toEqual([connection.segment.name])
    expect(Math.max(...reports.map(({ lagMs }) => lagMs ?? 0))).toBeGreaterThan(0)
    expect(segmentsBelow(newFolder(folder))).toEqual([])
    expect(segmentsBelow(loadedFolder(folder))).toEqual([connection.segment.name])
  })

  engines('waits for a catalogue that answers later, with what was left behind', async () => {
    await using made = await makeEngines(folder)
    await using relay = await relayTo(new URL(made.cluster.catalogue.url))
    relay.state.isShut = true
    const left = connect('c0')
    for (const venueMessage of MESSAGES) left.receive(venueMessage)
    left.segment.close()
    const { catalogue, ...rest } = made.cluster
    const cluster = { ...rest, catalogue: { ...catalogue, url: relay.url } }
    const waiting: string[] = []
    const waited = Promise.withResolvers<void>()
    const loaded = Promise.withResolvers<LeftoverReport>()
    const loader = new LiveLoader(
      { dataFolder: folder, cluster, commitSeconds: 0.1, queuedBytesMax: 1 << 20, retentionDays: null },
      {
        onWaiting: (message) => waiting.push(message) === 2 && waited.resolve(),
        onLeftover: loaded.resolve,
        onFailure: loaded.reject,
      },
    )
    const asked = loader.lastRecords([{ venue: 'kalshi', market: 'KXNONE', books: ['KXNONE'] }])
    await waited.promise
    expect(waiting[0]).toContain('The catalogue does not answer')
    relay.state.isShut = false
    expect(await asked).toEqual([new Map()])
    expect(await loaded.promise).toMatchObject({ segments: 1, messages: MESSAGES.length, errors: [] })
    await loader.stop()
    expect(segmentsBelow(loadedFolder(folder))).toEqual([left.segment.name])
  })

  engines('ends while its catalogue does not answer, and leaves what it has for the next start', async () => {
    await using made = await makeEngines(folder)
    await using relay = await relayTo(new URL(made.cluster.catalogue.url))
    relay.state.isShut = true
    const { catalogue, ...rest } = made.cluster
    const cluster = { ...rest, catalogue: { ...catalogue, url: relay.url } }
    const waited = Promise.withResolvers<void>()
    const loader = new LiveLoader(
      { dataFolder: folder, cluster, commitSeconds: 0.1, queuedBytesMax: 1 << 20, retentionDays: null },
      { onWaiting: () => waited.resolve() },
    )
    await waited.promise
    const connection = connect('c0')
    connection.receive(MESSAGES[0]!)
    loader.add(connection.segment.name, connection.segment.close())
    loader.closed(connection.segment.name)
    const failure = await loader.stop().catch((error: Error) => error.message)
    expect(failure).toContain('The catalogue does not answer')
    expect(segmentsBelow(newFolder(folder))).toEqual([connection.segment.name])
  })

  test('begins with the segments of an earlier process, cut off or not', async () => {
    const [first, second] = [connect('c0'), connect('c1')]
    for (const venueMessage of MESSAGES.slice(0, 200)) first.receive(venueMessage)
    first.segment.close()
    for (const venueMessage of MESSAGES.slice(200)) second.receive(venueMessage)
    second.segment.flush()
    second.receive(MESSAGES[0]!)
    second.segment.flush()
    const path = join(newFolder(folder), `${second.segment.name}.part`)
    truncateSync(path, second.segment.fileBytes - 1)
    second.segment.abandon()
    const damaged = join(newFolder(folder), 'kalshi/2026-08-10/000000-a-c2.ndjson.zst')
    mkdirSync(dirname(damaged), { recursive: true })
    writeFileSync(damaged, 'no segment')
    const leftover = Promise.withResolvers<LeftoverReport>()
    const loader = start(64 << 20, { onLeftover: leftover.resolve })
    expect(loader.leftoverSegments).toBe(3)
    const report = await leftover.promise
    expect(loader.leftoverSegments).toBe(0)
    await loader.stop()
    expect(report).toMatchObject({ segments: 3, messages: MESSAGES.length, truncated: [second.segment.name] })
    expect(report.errors.map(({ segment, message }) => [segment, message.startsWith('Cannot read')])).toEqual([
      ['kalshi/2026-08-10/000000-a-c2.ndjson.zst', true],
    ])
    expect(segmentsBelow(newFolder(folder))).toEqual(['kalshi/2026-08-10/000000-a-c2.ndjson.zst'])
    expect(readFileSync(join(loadedFolder(folder), `${second.segment.name}.part`)).length).toBeGreaterThan(0)
    expect(await storedRecords()).toBe(report.recordsAdded)
  })

  test('reports why it cannot start', async () => {
    writeFileSync(join(folder, 'store'), '')
    const failure = Promise.withResolvers<Error>()
    const loader = start(64 << 20, { onFailure: failure.resolve })
    expect((await failure.promise).message).toContain(folder)
    expect(loader.commit()).rejects.toThrow(folder)
    expect(loader.lastRecords([])).rejects.toThrow(folder)
    expect(loader.stop()).rejects.toThrow(folder)
  })
})

describe('retention', () => {
  const DAYS = 3
  const dayOf = (days: number) => START_MS + days * 86_400_000

  test('removes old segments, and keeps those that the store lacks or that cannot be read', () =>
    withStore(async (store) => {
      const record = async (connection: string, days: number, count: number, isLoaded: boolean) => {
        const made = new Connection(store.folder, { connection, nowMs: () => dayOf(days) })
        for (const venueMessage of MESSAGES.slice(0, count)) made.receive(venueMessage)
        made.segment.close()
        if (isLoaded) await store.load(join(newFolder(store.folder), made.segment.name))
        moveToLoaded(store.folder, made.segment.name)
        return made.segment.name
      }
      const old = await record('old', 0, 50, true)
      const older = await record('older', -1, 20, true)
      const young = await record('young', 1, 60, true)
      const unloaded = await record('unloaded', 0, 300, false)
      const damaged = 'kalshi/2026-08-01/000000-a-d.ndjson.zst'
      mkdirSync(dirname(join(loadedFolder(store.folder), damaged)), { recursive: true })
      writeFileSync(join(loadedFolder(store.folder), damaged), 'no segment')
      const retention = new Retention(store.store, store.folder, DAYS)
      const reports = []
      for (let report = await retention.removeNext(dayOf(4)); report; report = await retention.removeNext(dayOf(4))) {
        reports.push(report)
      }
      expect(reports).toMatchObject([
        {
          segment: damaged,
          kept: expect.stringContaining(`Cannot read the rest of ${loadedFolder(store.folder)}/${damaged}: `),
        },
        { segment: older, kept: null },
        { segment: old, kept: null },
        { segment: unloaded, kept: expect.stringMatching(/^the store did not /) },
      ])
      expect(segmentsBelow(loadedFolder(store.folder))).toEqual([damaged, unloaded, young].sort())
      const again = new Retention(store.store, store.folder, DAYS)
      expect(await again.removeNext(dayOf(4))).toMatchObject({ segment: damaged })
      expect(await again.removeNext(dayOf(4))).toMatchObject({ segment: unloaded, kept: null })
      expect(await again.removeNext(dayOf(4) + 3_599_999)).toBeUndefined()
      expect(await again.removeNext(dayOf(5))).toMatchObject({ segment: young, kept: null })
    }))
})
