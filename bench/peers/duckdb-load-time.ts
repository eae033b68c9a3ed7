// How long DuckDB takes to load captures: `bun duckdb-load-time.ts THREADS FILE…`. In a process of its own, since what it keeps
// in memory would be counted against ours, which bounds its own.

import { elapsedMs } from '../measure/timing.ts'
import { loadInDuckdb } from './duckdb-capture.ts'
import { openDuckdb } from './installed-peers.ts'

export type DuckdbLoad = { ms: number; rows: number }

const [threads, ...files] = process.argv.slice(2)
const duckdb = await openDuckdb(Number(threads))
// The second time: the first finds nothing in any cache.
await loadInDuckdb(duckdb, files)
let rows = 0
const ms = await elapsedMs(async () => {
  rows = await loadInDuckdb(duckdb, files)
})
process.stdout.write(`${JSON.stringify({ ms, rows } satisfies DuckdbLoad)}\n`)
process.exit(0)
