// Measures how fast a busy day is written in the formats of other programs. Calls the command's code in one process.
// For comparison, writes the day's raw records as lines.

import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExportFolder } from '../../../src/export/export-folder.ts'
import { runExport } from '../../../src/export/run-export.ts'
import type { ExportTarget } from '../../../src/export/target.ts'
import { TARGETS } from '../../../src/export/targets.ts'
import { openStore, type Store } from '../../../storage/open-store.ts'
import { answerPage } from '../../../workers/read/answer-page.ts'
import { type BusyDay, busyDays } from '../../datasets/busy-days.ts'
import { checksum } from '../../measure/checksum.ts'
import { median } from '../../measure/median.ts'
import { forgetPeak, ownMb, peakMb } from '../../measure/process-memory.ts'
import type { Findings, Topic } from '../../topic.ts'

const REPETITIONS = 3
const PAGE_RECORDS = 100_000

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual, busiest } = await busyDays(size)
    const store = openStore(data)
    const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    const repetitions = size === 'smoke' ? 1 : REPETITIONS
    await measure(findings, store, { folder, day: usual[0]!, repetitions })
    await memoryOf(findings, store, { folder, day: busiest })
    await store.close()
    rmSync(folder, { recursive: true })
  },
}

type Measured = { folder: string; day: BusyDay; repetitions: number }

/** Measures each target in turn, by processor time: nothing else runs in this process. */
async function measure(findings: Findings, store: Store, { folder, day, repetitions }: Measured): Promise<void> {
  const names = ['raw records', ...TARGETS.map(({ name }) => name)]
  const times = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const name of repetition % 2 === 0 ? names : names.toReversed()) {
      const target = TARGETS.find((each) => each.name === name)
      const before = process.cpuUsage()
      if (target === undefined) await writeRecords(store, day, join(folder, 'records.ndjson'))
      else await writeDay(store, target, day, join(folder, name))
      const { user, system } = process.cpuUsage(before)
      times.get(name)!.push((user + system) / 1_000)
      if (target !== undefined && repetition === 0) findings.answer(`${name}, files`, checksumOf(join(folder, name)))
      rmSync(join(folder, target === undefined ? 'records.ndjson' : name), { recursive: true })
    }
  }
  const cpuMs = (name: string) => median(times.get(name)!)
  for (const name of names) findings.figure(`${name}, a core`, day.recordCount / (cpuMs(name) / 1_000), 'records/s')
  for (const { name } of TARGETS)
    findings.figure(`${name} / raw records, time`, cpuMs(name) / cpuMs(names[0]!), 'ratio')
}

/** Measures the peak memory for a day of 2 million records. */
async function memoryOf(findings: Findings, store: Store, { folder, day }: Omit<Measured, 'repetitions'>) {
  for (const target of TARGETS) {
    Bun.gc(true)
    forgetPeak(process.pid)
    const before = ownMb(process.pid) ?? 0
    await writeDay(store, target, day, join(folder, target.name))
    findings.figure(`${target.name}, memory for ${day.recordCount} records`, (peakMb(process.pid) ?? 0) - before, 'MB')
    rmSync(join(folder, target.name), { recursive: true })
  }
}

async function writeDay(store: Store, target: ExportTarget, { market, date }: BusyDay, path: string): Promise<void> {
  const metadata = await store.catalogue.knownMarket('kalshi', market)
  const options = Object.fromEntries(target.options.map((option) => [option.name, option.default]))
  const markets = [{ venue: 'kalshi', market, known: metadata, dates: [date] } as const]
  await runExport(store, new ExportFolder(path), { target, markets, assetId: undefined, options })
}

async function writeRecords(store: Store, { market, date, recordCount }: BusyDay, path: string): Promise<void> {
  const file = openSync(path, 'w')
  const page = { venue: 'kalshi', market, book: null, limit: PAGE_RECORDS, layout: 'lines' } as const
  for (let offset = 0; offset < recordCount; offset += PAGE_RECORDS) {
    const { chunks } = await answerPage(store, { ...page, scope: { date, offset } })
    for (let next = chunks.next(); !next.done; next = chunks.next()) writeSync(file, next.value)
  }
  closeSync(file)
}

function checksumOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true }).map(String).sort()
  const files = names.filter((name) => !name.startsWith('.backbook') && statSync(join(folder, name)).isFile())
  return `${files.length}:${checksum(...files.flatMap((name) => [name, readFileSync(join(folder, name))]))}`
}
