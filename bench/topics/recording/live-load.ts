// Measures loading during recording: 20,000 messages per second of 5,000 markets through segments, the loading thread,
// and a commit every 5 s. Also compares the loading of segments with the loading of the same messages as JSON.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LiveLoader } from '../../../workers/live-load/live-loader.ts'
import type { CommitReport } from '../../../workers/live-load/live-loading.ts'
import { HERE } from '../../../workers/load/load-capture.ts'
import { loadedFolder, segmentsBelow } from '../../../workers/segment/segment-folder.ts'
import { SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import { loadCaptures } from '../../datasets/capture-store.ts'
import { type LiveFrame, LiveMessages } from '../../datasets/live-messages.ts'
import { median } from '../../measure/median.ts'
import { elapsedMs } from '../../measure/timing.ts'
import type { Findings, Topic } from '../../topic.ts'

const SIZES = {
  smoke: { markets: 150, perSecond: 400, commits: 3, repetitions: 1 },
  full: { markets: 5_000, perSecond: 20_000, commits: 6, repetitions: 2 },
}
const COMMIT_SECONDS = 5
/** Commit interval, s: so long that commits happen only on request. */
const NEVER_SECONDS = 86_400

export const topic: Topic = {
  async prepare() {},
  async run({ size }, findings) {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    await record(findings, SIZES[size], join(folder, 'live'))
    await loadSegments(findings, SIZES[size], folder)
    rmSync(folder, { recursive: true })
  },
}

type Made = (typeof SIZES)['full']

async function record(findings: Findings, { markets, perSecond, commits }: Made, data: string): Promise<void> {
  const messages = new LiveMessages(markets)
  const reports: CommitReport[] = []
  const queued = { queuedBytesMax: 256 << 20, retentionDays: null }
  const options = { dataFolder: data, cluster: null, commitSeconds: NEVER_SECONDS, ...queued }
  const loader = new LiveLoader(options, { onCommit: (report) => reports.push(report) })
  const segments = openSegments(data, messages)
  const [wallMs, cpuMs]: number[][] = [[], []]
  let residentBytes = 0
  receive(segments, messages.snapshots())
  for (let commit = 0; commit < commits; commit++) {
    const seconds = Array.from({ length: COMMIT_SECONDS }, () => messages.nextSecond(perSecond))
    const before = process.cpuUsage()
    wallMs!.push(
      await elapsedMs(async () => {
        for (const frames of seconds) {
          receive(segments, frames)
          for (const segment of segments) loader.add(segment.name, segment.flush())
        }
        await loader.commit()
      }),
    )
    const { user, system } = process.cpuUsage(before)
    cpuMs!.push((user + system) / 1_000)
    residentBytes = Math.max(residentBytes, process.memoryUsage.rss())
  }
  for (const segment of segments) {
    loader.add(segment.name, segment.close())
    loader.closed(segment.name)
  }
  await loader.stop()
  findings.answer('messages', sumOf(reports, 'messages'))
  findings.answer('records', sumOf(reports, 'recordsAdded'))
  const [firstMs, ...warm] = wallMs!
  const name = `${perSecond.toLocaleString('en-US')} messages/s of ${markets.toLocaleString('en-US')} markets`
  const intervalMs = COMMIT_SECONDS * 1_000
  findings.figure(`${name}: ${COMMIT_SECONDS} s of them, first in the process`, firstMs!, 'ms')
  findings.figure(`${name}: ${COMMIT_SECONDS} s of them`, median(warm), 'ms', { atMost: intervalMs })
  findings.figure('their cores: segments, loading, commit', median(cpuMs!.slice(1)) / intervalMs, 'ratio', {
    atMost: 1,
  })
  findings.figure('resident, with the messages to come', residentBytes / 1e6, 'MB')
}

/** Loads the same frames as segments, and as JSON in an envelope. */
async function loadSegments(findings: Findings, { repetitions }: Made, folder: string): Promise<void> {
  const live = join(folder, 'live')
  const segments = segmentsBelow(loadedFolder(live)).map((name) => join(loadedFolder(live), name))
  const plain = join(folder, 'plain')
  for (const [index, path] of segments.entries())
    await Bun.write(join(plain, `${index}.ndjson.zst`), await asJson(path))
  const files = readdirSync(plain).map((name) => join(plain, name))
  const [quoted, unquoted]: number[][] = [[], []]
  let stores = 0
  let records = 0
  const load = async (paths: string[]) => {
    const data = join(folder, `${stores++}`)
    const ms = await elapsedMs(async () => {
      records = await loadCaptures(data, paths, [HERE])
    })
    rmSync(data, { recursive: true })
    return records / (ms / 1_000)
  }
  await load(segments)
  await load(files)
  for (let i = 0; i < repetitions; i++) {
    quoted!.push(await load(segments))
    unquoted!.push(await load(files))
  }
  findings.answer('records of the segments', records)
  findings.figure('segments as captures', median(quoted!), 'records/s')
  findings.figure('the same messages as JSON', median(unquoted!), 'records/s')
  findings.figure('rate of segments / of JSON', median(quoted!) / median(unquoted!), 'ratio', { atLeast: 0.75 })
}

async function asJson(path: string): Promise<Uint8Array> {
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(await Bun.file(path).bytes()))
  const lines = text.split('\n').filter((line) => line.startsWith('{"recv_ns"'))
  const events = lines.map((line) => {
    const raw = JSON.parse(line.slice(line.indexOf('"raw":') + 6, -1)) as string
    return `${line.slice(0, line.indexOf(',"mono_ns"'))},"event":${raw}}\n`
  })
  return Bun.zstdCompressSync(events.join(''))
}

function openSegments(data: string, messages: LiveMessages): SegmentWriter[] {
  const startNs = BigInt(messages.nowMs) * 1_000_000n
  return Array.from({ length: messages.connectionCount }, (_, connection) => {
    const header = { venue: 'kalshi', recorder: 'bench', connection: `c${connection}`, url: '', version: '0' } as const
    return new SegmentWriter(data, { ...header, useYesPrice: false, clock: 'machine' }, () => startNs)
  })
}

function receive(segments: SegmentWriter[], frames: readonly LiveFrame[]): void {
  for (const { connection, text, receivedMs } of frames) {
    const ns = BigInt(receivedMs) * 1_000_000n
    segments[connection]!.frame(text, ns, ns)
  }
}

const sumOf = (reports: readonly CommitReport[], field: 'messages' | 'recordsAdded'): number =>
  reports.reduce((sum, report) => sum + report[field], 0)
