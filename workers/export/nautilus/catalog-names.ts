// Names of instruments and files in a Nautilus catalog.

/** Digits after the decimal point of sizes, which are stored in millionths. */
export const SIZE_PRECISION = 6

/** Returns the path of a file with rows from one `ts_init` to another, both in microseconds. */
export function catalogPath(type: string, instrument: string, firstUs: number, lastUs: number): string {
  return `data/${type}/${folderOf(instrument)}/${nameOfTime(firstUs)}_${nameOfTime(lastUs)}.parquet`
}

const folderOf = (instrument: string) => instrument.replaceAll('/', '').replaceAll('^', '_')

/** ISO 8601 with nanoseconds, with dashes in place of characters that are unsafe in file names. */
function nameOfTime(us: number): string {
  const ms = Math.floor(us / 1_000)
  const text = new Date(ms).toISOString().slice(0, -1).replaceAll(/[:.]/g, '-')
  return `${text}${String(us - ms * 1_000).padStart(3, '0')}000Z`
}

/** Returns the digits after the decimal point that a price needs; the price is in 1e-6 dollars. */
export function precisionOf(micros: number): number {
  let digits = 6
  for (let unit = 10; digits > 0 && micros % unit === 0; unit *= 10) digits--
  return digits
}
