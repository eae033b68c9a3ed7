// Levels of a book that the recorder keeps to compare with REST, in whole micros. Pure.

/** Size in 1e-6 contracts by price in 1e-6 dollars. The sides differ by the sign of the price. */
export type Levels = ReadonlyMap<number, number>

const MICROS = 1_000_000
const DECIMAL = /^(-?)(\d{0,9})(?:\.(\d{1,6}))?$/

/** Exact: a decimal of at most six places; undefined for what is none. */
export function microsOf(text: unknown): number | undefined {
  const [all = '', sign, whole, fraction = ''] = (typeof text === 'string' ? DECIMAL.exec(text) : null) ?? []
  if (whole === undefined || whole + fraction === '' || all === '') return undefined
  const micros = Number(whole) * MICROS + Number(fraction.padEnd(6, '0'))
  return sign === '-' ? -micros : micros
}
