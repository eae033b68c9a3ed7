// Checks the entries of markets, the counts and the sums of dates against the heads.

import { DataError } from '../../failures.ts'
import { addSums, changeSums, type DaySums, type DayTotals, NO_SUMS, totalsOf } from '../../finding/day-totals.ts'
import type { Venue } from '../../venue.ts'
import { below, dateKey, keyOf, namesOf } from '../keys.ts'
import { headIn, openCounts, openMarket, openSums, parseCounts } from '../market-rows.ts'
import { pagesOf, type Rows } from '../rows.ts'

/** The days of each market according to the heads, ascending. */
export type VenueDays = Map<string, { dates: string[]; records: number }>

export const differs = (what: string): string => `The index behind ${what} differs from what is stored`

/** Adds a sentence for each fault to `damage`, and the stored days to `days`. */
export async function dayDamage(rows: Rows, venue: Venue, days: VenueDays, damage: Set<string>): Promise<void> {
  const sums = await headDamage(rows, venue, days, damage)
  await entryDamage(rows, venue, days, damage)
  for await (const page of pagesOf(rows, below(keyOf('s', venue)))) {
    for (const { key, value } of page) {
      const sum = sums.get(namesOf(key)[1]!) ?? { ...NO_SUMS }
      sums.set(namesOf(key)[1]!, sum)
      addSums(sum, negative(openSums(key, value)))
    }
  }
  const [wrong] = [...sums].filter(([, sum]) => !Bun.deepEquals(sum, NO_SUMS))
  if (wrong !== undefined) damage.add(differs(`calendar on ${wrong[0]}`))
}

/** Resolves to the sums of each date. */
async function headDamage(rows: Rows, venue: Venue, days: VenueDays, damage: Set<string>) {
  const sums = new Map<string, DaySums>()
  let count = 0
  for await (const page of pagesOf(rows, below(keyOf('d', venue)))) {
    const partitions = page.map(({ key }) => {
      const [, market, date] = namesOf(key)
      return { venue, market: market!, date: date! }
    })
    const counts = await rows.get(partitions.map(dateKey))
    count += page.length
    for (const [at, { value }] of page.entries()) {
      const partition = partitions[at]!
      const { market, date } = partition
      const known = days.get(market) ?? { dates: [], records: 0 }
      days.set(market, known)
      known.dates.push(date)
      try {
        const head = headIn(partition, value)
        known.records += head.recordCount
        const sum = sums.get(date) ?? { ...NO_SUMS }
        sums.set(date, sum)
        const totals = totalsOf(head)
        changeSums(sum, null, totals)
        if (!isSameCounts(partition, counts[at], totals)) damage.add(differs(`markets/active on ${date}`))
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        damage.add(error.message)
      }
    }
  }
  for await (const page of pagesOf(rows, below(keyOf('a', venue)))) count -= page.length
  if (count !== 0) damage.add(differs('markets/active'))
  return sums
}

function isSameCounts(
  partition: Parameters<typeof dateKey>[0],
  bytes: Uint8Array | undefined,
  totals: DayTotals,
): boolean {
  if (bytes === undefined) return false
  const { records, trades, volume, gaps, gapMs } = parseCounts(openCounts(dateKey(partition), bytes))
  const { records: r, trades: t, volume: v, gaps: g, gapMs: ms } = totals
  return records === r && trades === t && volume === v && gaps === g && gapMs === ms
}

async function entryDamage(rows: Rows, venue: Venue, days: VenueDays, damage: Set<string>): Promise<void> {
  const left = new Set(days.keys())
  for await (const page of pagesOf(rows, below(keyOf('m', venue)))) {
    for (const { key, value } of page) {
      const market = namesOf(key)[1]!
      left.delete(market)
      try {
        const { firstDate, lastDate, dateCount, recordCount } = openMarket(key, value)
        const { dates, records } = days.get(market) ?? { dates: [], records: 0 }
        const isSame = dates.length === dateCount && (dateCount === 0 || dates[0] === firstDate)
        if (!isSame || (dateCount > 0 && dates.at(-1) !== lastDate)) {
          damage.add(
            `The entry of the ${venue} market ${market} has ${dateCount} days from ${firstDate} to ${lastDate}, ` +
              `the store has ${dates.length} days from ${dates[0]} to ${dates.at(-1)}`,
          )
        } else if (records !== recordCount) {
          damage.add(`The entry of the ${venue} market ${market} has ${recordCount} records, its days have ${records}`)
        }
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        damage.add(error.message)
      }
    }
  }
  for (const market of left) damage.add(`The ${venue} market ${market} has days and no entry`)
}

function negative(sums: DaySums): DaySums {
  const { volume, ...counts } = sums
  const entries = Object.entries(counts).map(([name, value]) => [name, 0 - value])
  return { ...(Object.fromEntries(entries) as Omit<DaySums, 'volume'>), volume: -volume }
}
