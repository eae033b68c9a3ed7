// Measures how long DuckDB takes to load captures: `bun duckdb-load-time.ts THREADS FILE…`. Runs in a process of its
// own: our process limits its memory, and DuckDB's memory would count towards that limit.

import { elapsedMs } from '../measure/timing.ts'
import { loadInDuckdb } from './duckdb-capture.ts'
import { openDuckdb } from './installed-peers.ts'

export type DuckdbLoad = { ms: number; rows: number }

const [threads, ...files] = process.argv.slice(2)
const duckdb = await openDuckdb(Number(threads))
// Measures the second load: the first one finds cold caches.
await loadInDuckdb(duckdb, files)
let rows = 0
const ms = await elapsedMs(async () => {
  rows = await loadInDuckdb(duckdb, files)
})
process.stdout.write(`${JSON.stringify({ ms, rows } satisfies DuckdbLoad)}\n`)
process.exit(0)
