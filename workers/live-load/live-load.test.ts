// long: it waits for threads and processes
// Loading while recording gives, in the end, the same store as a load of the finished segments.

import { describe, expect, test } from 'bun:test'
import { seeds } from '../../test/run/effort.ts'
import { type TestStore, withStore } from '../../test/support/store.ts'
import { Connection, pathOf, START_MS, venueMessages } from '../../test/workers/live-load/recording.ts'
import { storedContents } from '../../test/workers/live-load/stored-contents.ts'
import { loadedFolder, newFolder, type SegmentName, segmentsBelow } from '../segment/segment-folder.ts'
import { Random } from '../synthetic/random.ts'
import { LiveLoad } from './live-load.ts'

type Clock = 'machine' | 'replay'

/** A small recorder: the lines of a flush are loaded from memory, or from their segment if memory has no room. */
class Recording {
  readonly load: LiveLoad
  readonly names: SegmentName[] = []
  nowMs = START_MS
  readonly #store: TestStore
  readonly #random: Random
  readonly #open = new Map<string, Connection>()
  readonly #textBytes = new Map<SegmentName, number>()

  readonly #fileChance: number

  /** `fileChance` is the chance that a flush waits in its file and not in memory. */
  constructor(store: TestStore, random: Random, fileChance = 0.3) {
    this.#fileChance = fileChance
    this.#store = store
    this.#random = random
    this.load = new LiveLoad(store.store, {
      dataFolder: store.folder,
      nowMs: () => this.nowMs,
      textBytesMax: 4_000_000,
      batchPartitions: random.pick([1, 3, 250]),
    })
  }

  connect(recorder: string, connection: string, sid: number, latencyMs: number, clock: Clock = 'machine'): Connection {
    const options = { recorder, connection, sid, latencyMs, clock, nowMs: () => this.nowMs }
    const opened = new Connection(this.#store.folder, options)
    this.#open.set(opened.segment.name, opened)
    this.names.push(opened.segment.name)
    return opened
  }

  flush({ segment }: Connection): void {
    this.#hand(segment.name, segment.flush())
  }

  close({ segment }: Connection): void {
    this.#hand(segment.name, segment.close())
    this.load.closed(segment.name)
    this.#open.delete(segment.name)
  }

  closeAll(): void {
    for (const connection of this.#open.values()) this.close(connection)
  }

  #hand(name: SegmentName, bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const from = this.#textBytes.get(name) ?? 0
    this.#textBytes.set(name, from + bytes.length)
    this.load.add(name, { from, length: bytes.length, bytes: this.#random.chance(this.#fileChance) ? null : bytes })
  }
}

/** Returns the content of a store into which the segments are loaded one after the other. */
async function ingested(paths: string[], withEnvelopes: boolean): Promise<unknown[]> {
  let contents: unknown[] = []
  await withStore(async (store) => {
    await store.load(...paths)
    contents = await storedContents(store, withEnvelopes)
  })
  return contents
}

/** Records with overlapping connections: a new connection opens before the old one closes, and all recorders receive
 *  the same messages. */
async function recordOverlapping(store: TestStore, random: Random, recorders: string[]): Promise<Recording> {
  const recording = new Recording(store, random)
  const connect = (recorder: string, index: number) => {
    const number = recording.names.length
    return recording.connect(recorder, `c${number}`, number + 1, 3 + 40 * index)
  }
  let connections = recorders.map(connect)
  let replaced: Connection | undefined
  let flushedMs = 0
  for (const venueMessage of venueMessages(random, 500, false)) {
    if (venueMessage.ms > flushedMs + 1_000 || random.chance(0.1)) {
      flushedMs = recording.nowMs
      for (const connection of connections) recording.flush(connection)
    }
    if (random.chance(0.05)) {
      const report = await recording.load.commit(random.chance(0.2))
      expect(report).toMatchObject({ failure: null, errors: [], rejected: 0 })
    }
    recording.nowMs = Math.max(recording.nowMs, venueMessage.ms + 5)
    for (const connection of connections) connection.receive(venueMessage)
    // A recorder opens the new connection before it closes the old one.
    if (random.chance(0.02) && replaced === undefined) {
      const index = random.below(recorders.length)
      replaced = connections[index]!
      connections = [...connections.with(index, connect(recorders[index]!, index)), replaced]
    } else if (random.chance(0.05) && replaced !== undefined) {
      recording.close(replaced)
      connections = connections.slice(0, -1)
      replaced = undefined
    }
  }
  recording.closeAll()
  for (let more = true; more; more = recording.load.hasMore) await recording.load.commit(true)
  return recording
}

describe('connections that overlap', () => {
  test.each(seeds(1, 2, 12))('with random commits store the same as a load of the segments in any order (%d)', (seed) =>
    withStore(async (store) => {
      const recording = await recordOverlapping(store, new Random(seed, 'overlapping'), ['a'])
      expect(segmentsBelow(newFolder(store.folder))).toEqual([])
      const live = await storedContents(store, false)
      const paths = recording.names.map((name) => pathOf(store.folder, name))
      expect(live).toEqual(await ingested(paths, false))
      expect(live).toEqual(await ingested(paths.toReversed(), false))
      await store.load(...paths)
      expect(await storedContents(store, false)).toEqual(live)
    }),
  )

  test.each(seeds(1, 2, 6))('the segments of two recorders merge into one day without repetition (%d)', (seed) =>
    withStore(async (store) => {
      const recording = await recordOverlapping(store, new Random(seed, 'two recorders'), ['a', 'b'])
      const paths = recording.names.map((name) => pathOf(store.folder, name))
      const ofOne = paths.filter((path) => path.includes('-a-'))
      const timed = (contents: unknown[]) =>
        contents.filter((entry) => {
          const { type, msg } = entry as { type?: string; msg?: object }
          // A Kalshi snapshot has no time: if it is received twice, the venue may have sent it twice.
          return msg !== undefined && !(type === 'snapshot' && 'market_ticker' in msg)
        })
      const both = timed(await storedContents(store, false))
      expect(both).toEqual(timed(await ingested(ofOne, false)))
      expect(both).toEqual(timed(await ingested(paths, false)))
      expect(both).toEqual(timed(await ingested(paths.toReversed(), false)))
    }),
  )
})

describe('one connection after the other', () => {
  const cases = Array.from({ length: 8 }, (_, seed) => ['machine', seed, 0.3] as const)
  const replayed = Array.from({ length: 4 }, (_, seed) => ['replay', seed, 0.3] as const)
  const inMemory = Array.from({ length: 8 }, (_, seed) => ['replay', seed, 0] as const)

  test.each([...cases, ...replayed, ...inMemory])('random commits equal one load: clock of a %s (%d, %d)', (...of) =>
    withStore(async (store) => {
      const [clock, seed, fileChance] = of
      const random = new Random(seed, 'live')
      const recording = new Recording(store, random, fileChance)
      let connection = recording.connect('a', 'c0', 1, 5, clock)
      let added = 0
      let flushedMs = 0
      const commit = async (isAll: boolean) => {
        const report = await recording.load.commit(isAll)
        expect(report).toMatchObject({ failure: null, errors: [], rejected: 0 })
        added += report.recordsAdded
      }
      for (const venueMessage of venueMessages(random, 600)) {
        // Received messages are flushed within a second.
        if (venueMessage.ms > flushedMs + 1_000 || random.chance(0.1)) {
          flushedMs = recording.nowMs
          recording.flush(connection)
        }
        recording.nowMs = Math.max(recording.nowMs, venueMessage.ms + 5)
        connection.receive(venueMessage)
        if (random.chance(0.05)) await commit(random.chance(0.2))
        if (!random.chance(0.01)) continue
        recording.close(connection)
        connection = recording.connect('a', `c${recording.names.length}`, 1, 5, clock)
      }
      recording.closeAll()
      while (recording.load.hasMore) await commit(true)
      await commit(true)
      expect(segmentsBelow(newFolder(store.folder))).toEqual([])
      expect(segmentsBelow(loadedFolder(store.folder))).toEqual([...recording.names].sort())
      const live = await storedContents(store)
      expect(live).toEqual(
        await ingested(
          recording.names.map((name) => pathOf(store.folder, name)),
          true,
        ),
      )
      const stored = live.filter((entry) => typeof (entry as { recordCount?: number }).recordCount === 'number')
      expect(added).toBe(stored.reduce<number>((sum, entry) => sum + (entry as { recordCount: number }).recordCount, 0))
    }),
  )
})
