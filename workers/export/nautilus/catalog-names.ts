// What a Nautilus catalog calls instruments and files.

import type { Venue } from '../../../storage/venue.ts'

/** Digits behind the point of sizes, which are kept in millionths. */
export const SIZE_PRECISION = 6

/** As Nautilus' adapters name them: a token of Polymarket by its market too. */
export function instrumentId(venue: Venue, market: string, book: string): string {
  return venue === 'polymarket' ? `${market}-${book}.POLYMARKET` : `${market}.KALSHI`
}

/** Where rows from one `ts_init` to another lie, both in microseconds. */
export function catalogPath(type: string, instrument: string, firstUs: number, lastUs: number): string {
  return `data/${type}/${folderOf(instrument)}/${nameOfTime(firstUs)}_${nameOfTime(lastUs)}.parquet`
}

const folderOf = (instrument: string) => instrument.replaceAll('/', '').replaceAll('^', '_')

/** ISO 8601 with nanoseconds, and a dash for what no file name should have. */
function nameOfTime(us: number): string {
  const ms = Math.floor(us / 1_000)
  const text = new Date(ms).toISOString().slice(0, -1).replaceAll(/[:.]/g, '-')
  return `${text}${String(us - ms * 1_000).padStart(3, '0')}000Z`
}

/** Digits behind the point that a price needs, in 1e-6 dollars. */
export function precisionOf(micros: number): number {
  let digits = 6
  for (let unit = 10; digits > 0 && micros % unit === 0; unit *= 10) digits--
  return digits
}
