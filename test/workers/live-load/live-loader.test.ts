// Goal: the thread that loads keeps the recorder's memory bounded, answers when all is stored, and begins with what
// another process left behind.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStore } from '../../../storage/open-store.ts'
import { LiveLoader } from '../../../workers/live-load/live-loader.ts'
import type { CommitReport, LeftoverReport, LiveLoadHooks } from '../../../workers/live-load/live-loading.ts'
import { loadedFolder, newFolder, segmentsBelow } from '../../../workers/segment/segment-folder.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { Connection, saidBy } from './recording.ts'

const NEVER_SECONDS = 3_600
const SAID = [...saidBy(new Random(1, 'loader'), 300)]
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-loader-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const connect = (connection: string) => new Connection(folder, { connection })
const start = (queuedBytesMax: number, hooks: LiveLoadHooks = {}) =>
  new LiveLoader({ dataFolder: folder, commitSeconds: NEVER_SECONDS, queuedBytesMax }, hooks)

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

describe('LiveLoader', () => {
  test.each([
    ['in memory', 64 << 20],
    ['from the segment, where too much would wait', 3_000],
  ])('commits what it is given, %s', async (_, queuedBytesMax) => {
    const reports: CommitReport[] = []
    const loader = start(queuedBytesMax, { onCommit: (report) => reports.push(report) })
    const connection = connect('c')
    let added = 0
    for (const [i, said] of SAID.entries()) {
      connection.hear(said)
      if (i % 7 !== 0) continue
      const bytes = connection.segment.flush()
      added += bytes.length
      loader.add(connection.segment.name, bytes)
      expect(loader.queuedBytes).toBeLessThanOrEqual(queuedBytesMax)
    }
    expect(loader.queuedBytes + loader.fileBytesBehind).toBeLessThanOrEqual(added)
    await loader.commit()
    expect([loader.queuedBytes, loader.fileBytesBehind]).toEqual([0, 0])
    loader.add(connection.segment.name, connection.segment.close())
    loader.closed(connection.segment.name)
    await loader.stop()
    const sum = (of: (report: CommitReport) => number) => reports.reduce((total, report) => total + of(report), 0)
    expect(sum(({ messages }) => messages)).toBe(SAID.length)
    expect(sum(({ recordsAdded }) => recordsAdded)).toBe(await storedRecords())
    expect(sum(({ skipped }) => (skipped['backbook segment'] ?? 0) + (skipped['backbook footer'] ?? 0))).toBe(2)
    expect(reports.flatMap(({ loaded }) => loaded)).toEqual([connection.segment.name])
    expect(Math.max(...reports.map(({ lagMs }) => lagMs ?? 0))).toBeGreaterThan(0)
    expect(segmentsBelow(newFolder(folder))).toEqual([])
    expect(segmentsBelow(loadedFolder(folder))).toEqual([connection.segment.name])
  })

  test('begins with what was left behind, cut off or not', async () => {
    const [first, second] = [connect('c0'), connect('c1')]
    for (const said of SAID.slice(0, 200)) first.hear(said)
    first.segment.close()
    for (const said of SAID.slice(200)) second.hear(said)
    second.segment.flush()
    second.hear(SAID[0]!)
    second.segment.flush()
    const path = join(newFolder(folder), `${second.segment.name}.part`)
    truncateSync(path, second.segment.fileBytes - 1)
    second.segment.abandon()
    const damaged = join(newFolder(folder), 'kalshi/2026-08-10/000000-a-c2.ndjson.zst')
    mkdirSync(dirname(damaged), { recursive: true })
    writeFileSync(damaged, 'no segment')
    const leftover = Promise.withResolvers<LeftoverReport>()
    const loader = start(64 << 20, { onLeftover: leftover.resolve })
    const report = await leftover.promise
    await loader.stop()
    expect(report).toMatchObject({ segments: 3, messages: SAID.length, truncated: [second.segment.name] })
    expect(report.errors.map(({ segment, message }) => [segment, message.startsWith('Cannot read')])).toEqual([
      ['kalshi/2026-08-10/000000-a-c2.ndjson.zst', true],
    ])
    expect(segmentsBelow(newFolder(folder))).toEqual(['kalshi/2026-08-10/000000-a-c2.ndjson.zst'])
    expect(readFileSync(join(loadedFolder(folder), `${second.segment.name}.part`)).length).toBeGreaterThan(0)
    expect(await storedRecords()).toBe(report.recordsAdded)
  })

  test('says why it cannot begin', async () => {
    writeFileSync(join(folder, 'store'), '')
    const failure = Promise.withResolvers<Error>()
    const loader = start(64 << 20, { onFailure: failure.resolve })
    expect((await failure.promise).message).toContain(folder)
    expect(loader.commit()).rejects.toThrow(folder)
    expect(loader.stop()).rejects.toThrow(folder)
  })
})
