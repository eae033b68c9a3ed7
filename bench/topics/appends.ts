// Measures appends: new records of each of 1,000 markets in one commit, and 10,000 appends of 20 records to one day.
// Compares the resulting store with a store that loaded the same lines at once.

import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compactStore } from '../../storage/lmdb/compact.ts'
import { openStore, type Store } from '../../storage/open-store.ts'
import { dateStartMs } from '../../storage/units.ts'
import { loadCapture } from '../../workers/load/load-capture.ts'
import { partsOfPartition } from '../../workers/partition/needed-parts.ts'
import { BUSY_MARKET, busyMarketCapture, linesOf } from '../datasets/busy-market.ts'
import { captureStore } from '../datasets/capture-store.ts'
import { manyMarkets } from '../datasets/many-markets.ts'
import { CAPTURE_DATE, SMOKE_RECORDS } from '../datasets/synthetic-capture.ts'
import { checksum } from '../measure/checksum.ts'
import { askBytes } from '../measure/http-client.ts'
import { median } from '../measure/median.ts'
import { dataOf, pagesOf } from '../measure/record-pages.ts'
import { elapsedMs } from '../measure/timing.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import type { Findings, Size, Topic } from '../topic.ts'

const RECORDS_A_TIME = 20
/** Records of all markets of the day: enough for 10,000 appends to the busy one. */
const FULL_RECORDS = 440_000
/** Each median is over `window` appends. `first` is the number of the append at which the early window starts. The
 *  `warmUp` appends go to another store, to compile the code. */
const APPENDS = {
  smoke: { count: 120, window: 20, first: 30, warmUp: 10 },
  full: { count: 10_000, window: 300, first: 100, warmUp: 1_000 },
}
const PAGE_RECORDS = [999, 10_000]
const RESOLUTIONS = [1, 60, 3_600]

export const topic: Topic = {
  async prepare({ size }) {
    await firstStore(size)
    await busyMarketCapture(recordsOf(size))
  },
  async run({ size }, findings) {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    await manyAtOnce(findings, size, join(folder, 'many'))
    await oneByOne(findings, size, folder)
    rmSync(folder, { recursive: true })
  },
}

const recordsOf = (size: Size) => (size === 'smoke' ? SMOKE_RECORDS : FULL_RECORDS)

async function firstStore(size: Size): Promise<string> {
  return captureStore(`many-markets-${size}`, [(await manyMarkets(size)).first])
}

async function manyAtOnce(findings: Findings, size: Size, data: string): Promise<void> {
  const { next, marketCount, recordsEach } = await manyMarkets(size)
  cpSync(await firstStore(size), data, { recursive: true })
  const store = openStore(data)
  const times: number[] = []
  let flushMs = 0
  for (const { path, records } of next) {
    const ms = await elapsedMs(async () => {
      const { recordsAdded } = await loadCapture(store, data, path)
      if (recordsAdded !== records) throw new Error(`${recordsAdded} of ${records} records are new: ${path}`)
    })
    flushMs = await elapsedMs(() => store.flushed())
    times.push(ms)
  }
  await store.close()
  const [firstMs, ...warm] = times
  const name = `${marketCount.toLocaleString('en-US')} markets, ${recordsEach} new records each`
  findings.figure(`${name}, first in the process`, firstMs!, 'ms')
  findings.figure(name, median(warm), 'ms', { atMost: 600 })
  findings.figure('until they are on the disk, further', flushMs, 'ms')
}

async function oneByOne(findings: Findings, size: Size, folder: string): Promise<void> {
  const capture = await busyMarketCapture(recordsOf(size))
  const { count, warmUp } = APPENDS[size]
  const appends = byInstants(linesOf(capture)).slice(0, count)
  if (appends.length < count) throw new Error(`${capture} is enough for ${appends.length} appends only`)
  await appendAll(join(folder, 'warm'), appends.slice(0, warmUp))
  const appended = join(folder, 'appended')
  noteTimes(findings, size, await appendAll(appended, appends))

  const loaded = join(folder, 'loaded')
  const whole = join(folder, 'whole.ndjson')
  await Bun.write(whole, `${appends.flat().join('\n')}\n`)
  const store = openStore(loaded)
  await loadCapture(store, loaded, whole)
  await store.close()
  await compareSizes(findings, appended, loaded)
  await compareAnswers(findings, size, appended, loaded)
}

/** Groups lines into appends of about 20 lines. Each append ends between two instants, because two equal messages of
 *  one instant would count as one if they were in two captures. */
function byInstants(lines: readonly string[]): string[][] {
  const groups: string[][] = []
  let lastTime: string | undefined
  for (const line of lines) {
    const time = /"ts_ms":(\d+)/.exec(line)?.[1]
    const group = groups.at(-1)
    if (group === undefined || (group.length >= RECORDS_A_TIME && time !== lastTime)) groups.push([line])
    else group.push(line)
    lastTime = time
  }
  return groups
}

/** Returns the time of each append, ms. */
async function appendAll(data: string, appends: readonly string[][]): Promise<number[]> {
  const store: Store = openStore(data)
  const capture = join(data, 'next.ndjson')
  const times: number[] = []
  for (const lines of appends) {
    await Bun.write(capture, `${lines.join('\n')}\n`)
    times.push(await elapsedMs(() => loadCapture(store, data, capture)))
  }
  await store.flushed()
  await store.close()
  return times
}

function noteTimes(findings: Findings, size: Size, times: readonly number[]): void {
  const { window, first } = APPENDS[size]
  const early = median(times.slice(first, first + window))
  const late = median(times.slice(-window))
  const total = times.reduce((sum, ms) => sum + ms, 0)
  findings.figure(`append of ${RECORDS_A_TIME} records, after ${first} others`, early, 'ms')
  findings.figure(`append of ${RECORDS_A_TIME} records, after ${times.length - window} others`, late, 'ms')
  findings.figure('a late append / an early one', late / early, 'ratio', { atMost: 1.3 })
  findings.figure('all appends, the mean of one', total / times.length, 'ms')
  findings.figure('the longest of them', Math.max(...times), 'ms')
}

async function compareSizes(findings: Findings, appended: string, loaded: string): Promise<void> {
  const [small, whole] = [await storedBytes(appended), await storedBytes(loaded)]
  findings.figure('appended: what is stored of it', small.kept / whole.records, 'bytes/record')
  findings.figure('loaded at once: what is stored of it', whole.kept / whole.records, 'bytes/record')
  findings.figure('stored of what was appended / of one load', small.kept / whole.kept, 'ratio', { atMost: 1.1 })
  const [smallFile, wholeFile] = [await compactBytes(appended), await compactBytes(loaded)]
  findings.figure('the whole file, compacted / that of one load', smallFile / wholeFile, 'ratio')
}

async function storedBytes(data: string): Promise<{ kept: number; records: number }> {
  const store = openStore(data)
  const key = { venue: 'kalshi', market: BUSY_MARKET, date: CAPTURE_DATE } as const
  const head = (await store.catalogue.head(key))!
  const refs = partsOfPartition(key, head)
  const parts = await store.blocks.fetch(refs)
  const kept = refs.reduce((sum, ref) => sum + (ref.kind === 'books' ? 0 : parts.bytes(key, ref).length), 0)
  await store.close()
  return { kept, records: head.recordCount }
}

async function compactBytes(data: string): Promise<number> {
  await compactStore(data, () => {})
  return statSync(join(data, 'store/data.mdb')).size
}

/** Throws if the stores give different answers, because a comparison of sizes and times would then mean nothing. */
async function compareAnswers(findings: Findings, size: Size, appended: string, loaded: string): Promise<void> {
  const [ofAppended, ofLoaded] = [await answersOf(appended, size), await answersOf(loaded, size)]
  for (const [name, answer] of Object.entries(ofLoaded)) {
    if (ofAppended[name] !== answer) throw new Error(`what was appended answers other ${name} than what was loaded`)
    findings.answer(name, answer)
  }
  findings.note('what was appended and what was loaded at once answer the same')
}

async function answersOf(data: string, size: Size): Promise<Record<string, string>> {
  const server = await startBackbook(data)
  const answers: Record<string, string> = {}
  const day = { market: BUSY_MARKET, fromMs: dateStartMs(CAPTURE_DATE) }
  for (const limit of size === 'smoke' ? [PAGE_RECORDS[0]!] : PAGE_RECORDS) {
    const bodies = await pagesOf(server, day, limit)
    answers[`pages of ${limit} records`] = checksum(...bodies.map(dataOf))
  }
  for (const resolution of RESOLUTIONS) {
    const path = `orderbook-summary?ticker=${BUSY_MARKET}&date=${CAPTURE_DATE}&resolution=${resolution}`
    answers[`summary at ${resolution} s`] = checksum(await askBytes(server, `/api/v1/kalshi/market/${path}`))
  }
  await server.stop()
  return answers
}
