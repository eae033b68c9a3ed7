// Measures the requests per second of cluster nodes. Compares them with a server that gives the same answers from a
// folder, and compares two nodes with one.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { askBytes } from '../../measure/http-client.ts'
import { median } from '../../measure/median.ts'
import { requestsPerSecond, throughputClient } from '../../measure/wrk.ts'
import { type BackbookServer, startBackbook } from '../../servers/backbook-server.ts'
import { type Engines, variablesOf } from '../../servers/cluster-engines.ts'
import type { Findings, Size } from '../../topic.ts'

const TURNS = 3

type Asked = { path: string; size: Size }

/** Measures the nodes. `data` is a folder with the same records as the cluster. */
export async function askNodes(
  findings: Findings,
  { size, folder, data, place, path }: { size: Size; folder: string; data: string; place: Engines; path: string },
): Promise<void> {
  const node = (name: string, threads: number): Promise<BackbookServer> => {
    const own = join(folder, name)
    mkdirSync(own)
    return startBackbook(own, { settings: { ...variablesOf(place), WORKER_THREADS: String(threads) } })
  }
  findings.note(`the client is ${throughputClient(size)}`)
  const asked = { path, size }
  const local = await startBackbook(data, { settings: { WORKER_THREADS: '2' } })
  const one = await node('one', 2)
  if (Buffer.compare(await askBytes(local, path), await askBytes(one, path)) !== 0) {
    throw new Error('a node answers something else')
  }
  const rates = await inTurns({ local: () => rateOf([local], asked), one: () => rateOf([one], asked) })
  await local.stop()
  findings.figure('date-range of a server on a folder', rates.local, 'requests/s')
  findings.figure('date-range, node / server on a folder', rates.one / rates.local, 'ratio', { atLeast: 0.6 })
  const two = [await node('two', 1), await node('three', 1)]
  const both = await inTurns({ one: () => rateOf([one], asked), two: () => rateOf(two, asked) })
  findings.figure('date-range, two nodes / one with two threads', both.two / both.one, 'ratio', { atLeast: 0.9 })
  for (const each of [one, ...two]) await each.stop()
}

/** Returns the sum of the rates of all servers at once. */
async function rateOf(servers: readonly BackbookServer[], { path, size }: Asked): Promise<number> {
  const rates = await Promise.all(servers.map((server) => requestsPerSecond(server, path, size)))
  return rates.reduce((sum, rate) => sum + rate, 0)
}

async function inTurns<Name extends string>(runs: Record<Name, () => Promise<number>>): Promise<Record<Name, number>> {
  const names = Object.keys(runs) as Name[]
  const rates = new Map(names.map((name): [Name, number[]] => [name, []]))
  for (let turn = 0; turn < TURNS; turn++) {
    for (const name of turn % 2 === 0 ? names : names.toReversed()) rates.get(name)!.push(await runs[name]())
  }
  return Object.fromEntries(names.map((name) => [name, median(rates.get(name)!)])) as Record<Name, number>
}
