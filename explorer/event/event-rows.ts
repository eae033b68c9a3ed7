// Computes a row for each market of an event on a day, from its first outcome (YES), and the sum of the YES prices.

import type { FoundMarket } from '../../src/client/backbook.d.ts'

/** A row of a CSV answer about several markets. */
export type CsvRow = Readonly<Record<string, string>>

export type EventRow = {
  market: string
  asset: string | null
  /** The text that distinguishes the market from the others of the event. */
  title: string
  isStored: boolean
  /** Starts of buckets, Unix ms. `mids` are the mid prices at the ends of the buckets, dollars, NaN where unknown. */
  times: Float64Array
  mids: Float64Array
  /** Price of the last trade, dollars; null if nothing was traded. */
  last: number | null
  /** The last known spread, dollars; null if none is known. */
  spread: number | null
  volume: number
}

/** Parses CSV without quoting: no value of these answers contains a comma. */
export function csvRows(text: string): CsvRow[] {
  const [head, ...lines] = text.trim().split(/\r?\n/)
  const names = head!.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i]!, value])))
}

export function eventRows(
  markets: readonly FoundMarket[],
  quotes: readonly CsvRow[],
  trades: readonly CsvRow[],
): EventRow[] {
  const nameOf = ({ market, asset_id = '' }: CsvRow) => `${market} ${asset_id}`
  const [quotesOf, tradesOf] = [Map.groupBy(quotes, nameOf), Map.groupBy(trades, nameOf)]
  return markets.map(({ market, title, subtitle, outcomes, has_data }) => {
    const asset = outcomes[0]?.asset_id ?? null
    const name = `${market} ${asset ?? ''}`
    const [own, traded] = [quotesOf.get(name) ?? [], tradesOf.get(name) ?? []]
    const known = own.findLast(({ spread_close }) => spread_close !== '')
    return {
      ...{ market, asset, isStored: has_data },
      title: subtitle ?? (asset === null ? outcomes[0]?.title : null) ?? title ?? market,
      times: Float64Array.from(own, ({ timestamp }) => Number(timestamp)),
      mids: Float64Array.from(own, ({ mid_price_close: mid }) => (mid === '' ? Number.NaN : Number(mid))),
      last: traded.length === 0 ? null : Number(traded.at(-1)!['close']),
      spread: known === undefined ? null : Number(known['spread_close']),
      volume: traded.reduce((sum, { volume }) => sum + Number(volume), 0),
    }
  })
}

export type Sum = { times: Float64Array; sum: Float64Array; count: number }

/** Returns the sum of the mid prices at each time; NaN if a market with quotes has no known mid at that time. `count`
 *  is the number of markets with quotes. */
export function sumOfYes(rows: readonly EventRow[]): Sum {
  const quoted = rows.filter(({ times }) => times.length > 0)
  const sums = new Map<number, { sum: number; count: number }>()
  for (const { times, mids } of quoted) {
    for (const [i, ms] of times.entries()) {
      const before = sums.get(ms) ?? { sum: 0, count: 0 }
      sums.set(ms, { sum: before.sum + mids[i]!, count: before.count + 1 })
    }
  }
  const times = Float64Array.from(sums.keys()).sort()
  const sum = times.map((ms) => (sums.get(ms)!.count === quoted.length ? sums.get(ms)!.sum : Number.NaN))
  return { times, sum, count: quoted.length }
}
