// Measures raw pages over HTTP: 10,000 records of a busy day, and the whole day through cursors. Compares them with a
// server that sends the same bytes ready-made.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BusyDay, busyDays } from '../datasets/busy-days.ts'
import { checksum } from '../measure/checksum.ts'
import { type Asked, askBytes, drain } from '../measure/http-client.ts'
import { dataOf, pagesOf } from '../measure/record-pages.ts'
import { elapsedMs, inTurn } from '../measure/timing.ts'
import { startBackbook } from '../servers/backbook-server.ts'
import { startProcess } from '../servers/server-process.ts'
import type { Findings, Topic } from '../topic.ts'

const READY_BYTES = fileURLToPath(new URL('../servers/ready-bytes.ts', import.meta.url))
const PAGE_RECORDS = 10_000
const REPETITIONS = 15
/** The busiest day is read in the largest pages: it has 2 million records. */
const PAGE_RECORDS_MAX = 100_000

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual, busiest } = await busyDays(size)
    const server = await startBackbook(data)
    const folder = mkdtempSync(join(tmpdir(), 'backbook-bench-'))
    const bodies = await pagesOf(server, usual[0]!, PAGE_RECORDS)
    const files = bodies.map((_, i) => join(folder, `${i}.json`))
    for (const [i, body] of bodies.entries()) await Bun.write(files[i]!, body)
    const ready = { ...(await startProcess([READY_BYTES, ...files])), headers: {} }

    await singlePages(findings, server, ready, usual[0]!, size === 'smoke' ? 2 : REPETITIONS)
    await wholeDay(findings, server, ready, { day: usual[0]!, bodies, repetitions: size === 'smoke' ? 1 : 3 })
    const wholeMs = await elapsedMs(() => pagesOf(server, busiest, PAGE_RECORDS_MAX))
    findings.figure('busiest day through cursors, 100,000 records each', wholeMs, 'ms')
    findings.figure('busiest day through cursors', busiest.recordCount / (wholeMs / 1_000), 'records/s')
    await ready.stop()
    await server.stop()
    rmSync(folder, { recursive: true })
  },
}

/** Measures single pages. Each page is another part of the day, so that no answer is requested twice in a row. */
async function singlePages(findings: Findings, server: Asked, ready: Asked, day: BusyDay, repetitions: number) {
  const pages = Math.max(1, Math.floor(day.recordCount / PAGE_RECORDS))
  const offset = (i: number) => (i % pages) * PAGE_RECORDS
  let ours = 0
  let theirs = 0
  const ms = await inTurn(repetitions, {
    ours: () => drain(server, datePage(day, offset(ours++))),
    theirs: () => drain(ready, `/${theirs++ % pages}`),
  })
  findings.figure('page of 10,000 records', ms.ours, 'ms')
  findings.figure('the same bytes, ready-made', ms.theirs, 'ms')
  findings.figure('page / ready-made bytes', ms.ours / ms.theirs, 'ratio', { atMost: 2 })
  findings.answer('first page', checksum(await askBytes(server, datePage(day, 0))))
}

async function wholeDay(
  findings: Findings,
  server: Asked,
  ready: Asked,
  { day, bodies, repetitions }: { day: BusyDay; bodies: Uint8Array[]; repetitions: number },
) {
  const ms = await inTurn(repetitions, {
    ours: () => pagesOf(server, day, PAGE_RECORDS),
    theirs: async () => {
      for (const i of bodies.keys()) await askBytes(ready, `/${i}`)
    },
  })
  const records = bodies.map((body) => dataOf(body))
  findings.figure('whole day through cursors, 10,000 records each', ms.ours, 'ms')
  findings.figure('whole day through cursors', day.recordCount / (ms.ours / 1_000), 'records/s')
  findings.figure('whole day / ready-made bytes', ms.ours / ms.theirs, 'ratio')
  findings.answer('whole day', checksum(...records))
}

const datePage = ({ market, date }: BusyDay, offset: number) =>
  `/api/v1/kalshi/market/data?ticker=${market}&date=${date}&offset=${offset}&limit=${PAGE_RECORDS}`
