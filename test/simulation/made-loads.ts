// What a run loads: records of a few markets on two days, each with a number that answers show, in loads that overlap,
// arrive out of order, and sometimes go to two loaders.

import type { Random } from '../../workers/synthetic/random.ts'

export const VENUE = 'kalshi'
/** Dates that are in the past by any clock of the run. */
export const DATES = ['2026-07-19', '2026-07-20'] as const
const RECORDS = 20
const RECORDS_A_LOAD = 8

export type Load = {
  name: string
  lines: string[]
  /** The numbers of the records in the load, by market. */
  numbers: ReadonlyMap<string, readonly number[]>
  /** Number of tries of this load that failed because of damage. */
  damaged: number
}

export const marketsOf = (random: Random): string[] =>
  Array.from({ length: random.between(1, 3) }, (_, index) => `KXSIM-${index}`)

/** Returns the date of a record, by its number. */
export const dateOf = (number: number): string => DATES[number < RECORDS / 2 ? 0 : 1]!

/** Returns the loads of each loader. Together the loaders hold every record at least once. */
export function makeLoads(random: Random, markets: readonly string[], loaders: number): Load[][] {
  const all: Load[][] = Array.from({ length: loaders }, () => [])
  const add = (loader: number, load: Load) => all[loader]!.push(load)
  const runs = markets.flatMap((market) => runsOf(random, market))
  if (random.chance(0.5)) shuffle(random, runs)
  for (let index = 0; index < runs.length; ) {
    const taken = runs.slice(index, index + random.between(1, 2))
    index += taken.length
    const load = loadOf(`load ${index}`, taken)
    const loader = random.below(loaders)
    add(loader, load)
    if (random.chance(0.25)) add(random.below(loaders), load)
  }
  return all
}

type Run = { market: string; numbers: number[] }

/** Splits all records of a market into runs, which may overlap. */
function runsOf(random: Random, market: string): Run[] {
  const runs: Run[] = []
  for (let from = 0; from < RECORDS; ) {
    const to = Math.min(RECORDS, from + random.between(1, RECORDS_A_LOAD))
    const start = random.chance(0.2) ? Math.max(0, from - 2) : from
    runs.push({ market, numbers: Array.from({ length: to - start }, (_, index) => start + index) })
    from = to
  }
  return runs
}

function loadOf(name: string, runs: readonly Run[]): Load {
  const numbers = new Map<string, number[]>()
  const of = Map.groupBy(runs, ({ market }) => market)
  for (const [market, some] of of) {
    const sorted = [...new Set(some.flatMap((run) => run.numbers))].sort((a, b) => a - b)
    numbers.set(market, sorted)
  }
  const lines = [...numbers].flatMap(([market, each]) => each.map((number) => lineOf(market, number)))
  return { name, lines, numbers, damaged: 0 }
}

/** Returns the line of a record. Each market has its own connection, which received all messages of the market. */
function lineOf(market: string, number: number): string {
  const ms = Date.parse(`${dateOf(number)}T12:00:00Z`) + number * 1_000
  const at = { market_ticker: market, ts: new Date(ms).toISOString() }
  const msg = {
    ...at,
    price_dollars: `0.${10 + (number % 80)}00`,
    delta_fp: `${number + 1}.00`,
    side: 'yes',
    ts_ms: ms,
  }
  const event = { type: 'orderbook_delta', sid: Number(market.slice(-1)) + 1, seq: number + 1, msg }
  return JSON.stringify({ recv_ms: ms, event })
}

function shuffle<T>(random: Random, all: T[]): void {
  for (let index = all.length - 1; index > 0; index--) {
    const other = random.below(index + 1)
    ;[all[index], all[other]] = [all[other]!, all[index]!]
  }
}
