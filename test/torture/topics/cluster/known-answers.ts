// The answers of a store in a folder, before the captures and after each of them: one stage each. A node of a cluster
// must return the same bytes as one of the stages that the caller allows.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { syntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import { type Captures, copyData, DATES } from '../crashes/crashing-captures.ts'
import { runProgram } from '../crashes/killed-program.ts'
import { type Answer, ClusterNode } from './cluster-node.ts'
import { makeKey } from './make-key.ts'

const LIMIT = 500

export type Asks = { get(path: string): Promise<Answer> }
/** The first and the last stage that an answer may belong to. */
export type Stages = { from: number; to: number }

export class KnownAnswers {
  readonly paths: readonly string[]
  /** The answers of each path, by stage. */
  readonly #texts: ReadonlyMap<string, string[]>

  private constructor(texts: ReadonlyMap<string, string[]>) {
    this.#texts = texts
    this.paths = [...texts.keys()]
  }

  static async of({ before, files }: Captures, folder: string): Promise<KnownAnswers> {
    const data = join(folder, 'known')
    copyData(before, data)
    const texts = new Map<string, string[]>(pathsOf().map((path) => [path, []]))
    const env = { ACCOUNTS_URL: `sqlite://${join(folder, 'known.sqlite')}` }
    const secret = await makeKey(data, env)
    for (const file of [undefined, ...files]) {
      if (file !== undefined) await runProgram(['ingest', '--data', data, file])
      const node = await ClusterNode.start({ folder: data, secret, env })
      for (const [path, known] of texts) known.push(comparable(path, await node.get(path)))
      await node.stop()
    }
    rmSync(data, { recursive: true })
    return new KnownAnswers(texts)
  }

  /** Returns the number of the last stage. */
  get last(): number {
    return this.#texts.get(this.paths[0]!)!.length - 1
  }

  /** Throws if the answer belongs to none of these stages. */
  expect(path: string, answer: Answer, { from, to }: Stages = { from: this.last, to: this.last }): void {
    const text = comparable(path, answer)
    const known = this.#texts.get(path)!
    if (known.slice(from, to + 1).includes(text)) return
    const stage = known.indexOf(text)
    const what = stage >= 0 ? `the answer of stage ${stage}` : `no known answer: ${text.slice(0, 300)}`
    throw new Error(`${path}: stages ${from} to ${to} are accepted, and this is ${what}`)
  }

  /** Requests every path. */
  async expectAll(node: Asks, stages?: Stages): Promise<void> {
    for (const path of this.paths) this.expect(path, await node.get(path), stages)
  }
}

/** Returns the answer without cursors and load times: each store has its own secret for cursors, and was loaded at
 *  another time. */
function comparable(path: string, { status, text }: Answer): string {
  if (status !== 200 && status !== 404) throw new Error(`${status} of ${path}: ${text.slice(0, 500)}`)
  return `${status} ${text.replace(/"(next_cursor|request_id)":"[^"]*"/g, '"$1":""').replace(/"loaded_at":[0-9]+/g, '')}`
}

function pathsOf(): string[] {
  return DATES.flatMap((date) => {
    const { kalshiTicker, conditionId, assetIds } = syntheticDay({ date })
    const start = Date.parse(`${date}T12:00:00Z`)
    const window = `start_timestamp=${start}&end_timestamp=${start + 3_600_000}`
    const polymarket = `condition_id=${conditionId}&asset_id=${assetIds[0]}`
    return [
      ...[0, LIMIT].map((offset) => pageOf('kalshi', `ticker=${kalshiTicker}&date=${date}`, offset)),
      pageOf('polymarket', `condition_id=${conditionId}&date=${date}`, 0),
      `/kalshi/market/orderbook-summary?ticker=${kalshiTicker}&date=${date}&resolution=60`,
      `/polymarket/market/orderbook-summary?${polymarket}&${window}&resolution=1`,
      `/kalshi/market/trades?ticker=${kalshiTicker}&${window}`,
      `/kalshi/market/date-range?ticker=${kalshiTicker}`,
      `/polymarket/market/coverage?condition_id=${conditionId}`,
    ]
  })
}

const pageOf = (venue: string, day: string, offset: number) =>
  `/${venue}/market/data?${day}&limit=${LIMIT}&offset=${offset}`
