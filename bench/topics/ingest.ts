// Measures loading captures in this process: the first time, and after the engine has compiled the code. For
// comparison, DuckDB loads the same files into a typed table, with as many threads as we use for reading.

import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HERE } from '../../workers/load/load-capture.ts'
import { startThreads } from '../../workers/load/load-captures.ts'
import { loadCaptures } from '../datasets/capture-store.ts'
import { realCaptures } from '../datasets/real-captures.ts'
import { captureSet, usualCapture } from '../datasets/synthetic-capture.ts'
import { median } from '../measure/median.ts'
import { elapsedMs } from '../measure/timing.ts'
import type { DuckdbLoad } from '../peers/duckdb-load-time.ts'
import { arePeersInstalled, NOT_INSTALLED } from '../peers/installed-peers.ts'
import type { Findings, Topic, TopicContext } from '../topic.ts'

type Captures = { name: string; files: string[] }

const DUCKDB_LOAD = fileURLToPath(new URL('../peers/duckdb-load-time.ts', import.meta.url))
const REPETITIONS = 3
const RATE_MIN = 0.9

export const topic: Topic = {
  async prepare({ size }) {
    await usualCapture(size)
    await captureSet(size)
  },
  async run(context, findings) {
    if (context.withPeers && !arePeersInstalled()) findings.note(NOT_INSTALLED)
    const captures = [
      { name: 'real captures', files: realCaptures('kalshi', context.size) },
      { name: 'synthetic day', files: [await usualCapture(context.size)] },
      { name: '16 captures', files: await captureSet(context.size) },
    ]
    for (const capture of captures.filter(({ files }) => files.length > 0)) await measure(findings, context, capture)
  },
}

async function measure(findings: Findings, { size, withPeers }: TopicContext, { name, files }: Captures) {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
  let stores = 0
  let records = 0
  // Threads are reused, so that their code is compiled when it is measured warm.
  const threadCount = Math.min(availableParallelism(), files.length)
  const threads = threadCount > 1 ? startThreads(threadCount) : []
  const readers = threadCount > 1 ? threads : [HERE]
  const ours = async () => {
    const data = join(folder, `${stores++}`)
    records = await loadCaptures(data, files, readers)
    rmSync(data, { recursive: true })
  }
  const rate = (ms: number) => records / (ms / 1_000)
  const firstMs = await elapsedMs(ours)
  // Only the first captures show the speed before the process has compiled the code.
  if (findings.outcome.figures.length === 0) findings.figure('first in the process', rate(firstMs), 'records/s')
  findings.answer(`${name}, records`, records)
  const times: number[] = []
  const peerTimes: number[] = []
  for (let i = 0; i < (size === 'smoke' ? 1 : REPETITIONS); i++) {
    times.push(await elapsedMs(ours))
    if (!withPeers || !arePeersInstalled()) continue
    const { ms, rows } = await loadBesides(files, readers.length)
    peerTimes.push(ms)
    findings.answer(`${name}, rows of DuckDB`, rows)
  }
  findings.figure(`${name}, warm`, rate(median(times)), 'records/s')
  if (peerTimes.length > 0) {
    findings.figure(`${name}, DuckDB`, rate(median(peerTimes)), 'records/s')
    const ratio = median(peerTimes) / median(times)
    findings.figure(`${name}, our rate / that of DuckDB`, ratio, 'ratio', { atLeast: RATE_MIN })
  }
  for (const thread of threads) await thread.close()
  rmSync(folder, { recursive: true })
}

async function loadBesides(files: readonly string[], threads: number): Promise<DuckdbLoad> {
  const command = [process.execPath, DUCKDB_LOAD, `${threads}`, ...files]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
  return (await new Response(child.stdout).json()) as DuckdbLoad
}
