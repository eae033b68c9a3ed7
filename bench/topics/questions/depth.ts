// Measures depth over a day of 2 million records: minutes with ten levels and four bands. For comparison, DuckDB gets
// ready-made books, one for the end of each minute.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '../../../storage/units.ts'
import { type BusyDay, busyDays } from '../../datasets/busy-days.ts'
import { type Asked, askBytes } from '../../measure/http-client.ts'
import { askNew, windowOf } from '../../measure/new-questions.ts'
import { firstDifference } from '../../measure/same-values.ts'
import { medianMs } from '../../measure/timing.ts'
import { loadSnapshots, writeDepth } from '../../peers/duckdb-depth.ts'
import { arePeersInstalled, NOT_INSTALLED, openDuckdb } from '../../peers/installed-peers.ts'
import { startBackbook } from '../../servers/backbook-server.ts'
import type { Findings, Topic } from '../../topic.ts'

const BANDS = [0.01, 0.02, 0.05, 0.1]
const DUCKDB_REPETITIONS = 15

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size, withPeers }, findings) {
    const { data, busiest } = await busyDays(size)
    const { market, fromMs } = busiest
    const server = await startBackbook(data)
    const summary = `/api/v1/kalshi/market/depth-summary?ticker=${market}&resolution=60&levels=10&bands=${BANDS}`
    const path = (number: number) => `${summary}&${windowOf(fromMs, number)}`
    const ms = await askNew(
      findings,
      server,
      { name: 'depth at 60 s, ten levels, four bands', path, target: { atMost: 200 } },
      size,
    )
    if (withPeers && arePeersInstalled()) await besideDuckdb(findings, server, busiest, { path: path(0), ms })
    else if (withPeers) findings.note(NOT_INSTALLED)
    await server.stop()
  },
}

type Row = { timestamp: number; trust: string } & Record<string, unknown>
type Book = { bids: [number, number][]; asks: [number, number][] }

async function besideDuckdb(
  findings: Findings,
  server: Asked,
  { market }: BusyDay,
  { path, ms }: { path: string; ms: number },
): Promise<void> {
  const json = async (of: string) => JSON.parse(Buffer.from(await askBytes(server, of)).toString())
  const { data } = (await json(path)) as { data: Row[] }
  const lines: string[] = []
  for (const { timestamp } of data) {
    const { bids, asks } = (await json(
      `/api/v1/kalshi/market/book?ticker=${market}&timestamp=${timestamp + MINUTE_MS - 1}`,
    )) as Book
    const linesOf = (side: string, levels: Book['bids']) =>
      levels.map(([price, size], level) => `${timestamp},${side},${level},${price},${size}`)
    lines.push(...linesOf('bid', bids), ...linesOf('ask', asks))
  }
  const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
  const duckdb = await openDuckdb()
  await loadSnapshots(duckdb, lines, join(folder, 'snapshots.csv'))
  const theirMs = await medianMs(DUCKDB_REPETITIONS, () => writeDepth(duckdb, BANDS, '/dev/null'))
  findings.figure('depth of ready-made snapshots, DuckDB', theirMs, 'ms')
  findings.figure('depth at 60 s, our time / that of DuckDB', ms / theirMs, 'ratio')
  const answer = join(folder, 'depth.json')
  await writeDepth(duckdb, BANDS, answer)
  const both = new Set(((await Bun.file(answer).json()) as Row[]).map(({ timestamp }) => timestamp))
  const ours = data.filter(({ timestamp }) => both.has(timestamp)).map(compared)
  const difference = firstDifference(ours, await Bun.file(answer).json())
  if (difference !== undefined) throw new Error(`DuckDB makes another depth than we do: ${difference}`)
  findings.note(`DuckDB's depth of ${both.size} minutes whose book has both sides is the same as ours`)
  rmSync(folder, { recursive: true })
}

/** Returns only the fields that DuckDB computes too. */
function compared({ trust: _, buy_price, buy_filled, sell_price, sell_filled, ...row }: Row): Record<string, unknown> {
  return row
}
