// Loading captures, in the process that does it: the first time, and when the engine has compiled what it runs. Beside
// it DuckDB with one thread, which loads the same files into a typed table.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCaptures } from '../datasets/capture-store.ts'
import { kalshiCaptures } from '../datasets/real-captures.ts'
import { elapsedMs, inTurn } from '../measure/timing.ts'
import { loadInDuckdb } from '../peers/duckdb-capture.ts'
import { arePeersInstalled, NOT_INSTALLED, openDuckdb } from '../peers/installed-peers.ts'
import type { Topic } from '../topic.ts'

const REPETITIONS = 5

export const topic: Topic = {
  prepare: async ({ size }) => void (await kalshiCaptures(size)),
  async run({ size, withPeers }, findings) {
    const { isReal, files } = await kalshiCaptures(size)
    findings.note(`on ${isReal ? 'the real Kalshi captures' : 'a synthetic Kalshi day'}, gzipped`)
    const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    let stores = 0
    let records = 0
    const load = async () => {
      records = await loadCaptures(join(folder, `${stores++}`), files)
    }
    const rate = (ms: number) => records / (ms / 1_000)
    findings.figure('first in the process', rate(await elapsedMs(load)), 'records/s')
    findings.answer('records', records)
    const repetitions = size === 'smoke' ? 1 : REPETITIONS
    if (withPeers && arePeersInstalled()) {
      const duckdb = await openDuckdb()
      const ms = await inTurn(repetitions, { ours: load, theirs: () => loadInDuckdb(duckdb, files) })
      findings.figure('warm', rate(ms.ours), 'records/s')
      findings.figure('DuckDB, one thread', rate(ms.theirs), 'records/s')
      findings.figure('our rate / that of DuckDB', ms.theirs / ms.ours, 'ratio', { atLeast: 1 })
      findings.answer('rows of DuckDB', await loadInDuckdb(duckdb, files))
    } else {
      if (withPeers) findings.note(NOT_INSTALLED)
      findings.figure('warm', rate((await inTurn(repetitions, { ours: load })).ours), 'records/s')
    }
    rmSync(folder, { recursive: true })
  },
}
