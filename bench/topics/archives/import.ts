// Measures the import of one hour of an archive, from Parquet into a flushed store. The command runs in a process of
// its own, and the time that this process takes to start counts. For comparison, DuckDB reads all columns of the same
// file and stores nothing.

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pmxtHour } from '../../datasets/pmxt-hour.ts'
import { median } from '../../measure/median.ts'
import { watchOwnMb } from '../../measure/process-memory.ts'
import { arePeersInstalled, NOT_INSTALLED, openDuckdb } from '../../peers/installed-peers.ts'
import type { Findings, Topic } from '../../topic.ts'

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const ROWS = { smoke: 6_000, full: 8_000_000 }
const REPETITIONS = 3
const RATE_MIN = 300_000
const MEMORY_MAX_MB = 500
/** SQL that reads every column; the file name follows. */
const ALL_COLUMNS = 'SELECT count(*)::DOUBLE AS row_count, sum(hash(COLUMNS(*))) FROM'

type Imported = {
  cpuSeconds: number
  /** `ownMb` is the process's own memory. `peakMb` includes mapped pages of the store, which the system reclaims when
   *  it needs memory. */
  ownMb: number
  peakMb: number
  report: { rows: number; records_added: number; rejected: number }
}

export const topic: Topic = {
  prepare: async ({ size }) => void (await pmxtHour(ROWS[size])),
  async run({ size, withPeers }, findings) {
    const file = await pmxtHour(ROWS[size])
    const isWithDuckdb = withPeers && arePeersInstalled()
    if (withPeers && !isWithDuckdb) findings.note(NOT_INSTALLED)
    const imports: Imported[] = []
    const duckdb: number[] = []
    for (let i = 0; i < (size === 'smoke' ? 1 : REPETITIONS); i++) {
      imports.push(await importFile(file))
      if (isWithDuckdb) duckdb.push(await readBesides(findings, file))
    }
    const { rows, records_added: added, rejected } = imports[0]!.report
    findings.answer('rows', rows)
    findings.answer('records', added)
    findings.answer('rejected', rejected)
    const rate = rows / median(imports.map(({ cpuSeconds }) => cpuSeconds))
    findings.figure('pmxt v2, a core', rate, 'records/s', { atLeast: RATE_MIN })
    const most = (of: (each: Imported) => number) => Math.max(...imports.map(of))
    findings.figure(
      'memory of its own, peak',
      most(({ ownMb }) => ownMb),
      'MB',
      { atMost: MEMORY_MAX_MB },
    )
    findings.figure(
      'with mapped pages of the store, peak',
      most(({ peakMb }) => peakMb),
      'MB',
    )
    if (duckdb.length > 0) findings.figure('DuckDB, read alone, a core', rows / median(duckdb), 'records/s')
    findings.note(`the file has ${(statSync(file).size / 1e6).toFixed(1)} MB`)
  },
}

async function importFile(file: string): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
  const command = [process.execPath, MAIN, 'import', 'pmxt-v2', file, '--data', folder, '--json']
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
  const endWatch = watchOwnMb(child.pid)
  const { files } = (await new Response(child.stdout).json()) as { files: Imported['report'][] }
  await child.exited
  const ownMb = endWatch()
  rmSync(folder, { recursive: true })
  const { cpuTime, maxRSS } = child.resourceUsage()!
  return { cpuSeconds: Number(cpuTime.total) / 1e6, ownMb, peakMb: maxRSS / 1e6, report: files[0]! }
}

/** Returns the processor time that DuckDB takes to read the file, s. */
async function readBesides(findings: Findings, file: string): Promise<number> {
  const duckdb = await openDuckdb()
  const before = process.cpuUsage()
  const rows = await duckdb.runAndReadAll(`${ALL_COLUMNS} read_parquet('${file}')`)
  const { user, system } = process.cpuUsage(before)
  findings.answer('rows of DuckDB', Number(rows.getRowObjectsJson()[0]!['row_count']))
  return (user + system) / 1e6
}
