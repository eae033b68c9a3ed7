// Formats numbers as text. Unknown is a dash; 0 is 0.

export const UNKNOWN = '–'

const groups = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** Formats contracts with grouped digits and at most two decimals. */
export const sizeText = (size: number | null): string =>
  size === null || Number.isNaN(size) ? UNKNOWN : groups.format(size)

/** Formats dollars as cents: `51.4¢`. `decimals` is the number of decimals of the tick, in cents. */
export const priceText = (dollars: number | null, decimals = 1): string =>
  dollars === null || Number.isNaN(dollars) ? UNKNOWN : `${centsOf(dollars, decimals)}¢`

/** Returns cents with the given number of decimals, or more if the price has more. */
function centsOf(dollars: number, decimals: number): string {
  const exact = Number((dollars * 100).toFixed(4))
  const least = exact.toFixed(decimals)
  return Number(least) === exact ? least : String(exact)
}

/** Formats dollars as a probability: `45.5%`. */
export const percentText = (dollars: number | null): string =>
  dollars === null || Number.isNaN(dollars) ? UNKNOWN : `${Number((dollars * 100).toFixed(2))}%`

const counts = new Intl.NumberFormat('en-US')
export const countText = (count: number): string => counts.format(count)

/** Formats a count with its word: `1 day`, `1,200 days`. */
export const countedText = (count: number, word: string): string =>
  `${countText(count)} ${word}${count === 1 ? '' : 's'}`

/** Shortens condition ids and tokens to their start and end, by which people distinguish them. */
export const shortId = (id: string): string => (id.length > 40 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id)

/** Formats a number of bytes: `526 KB`, `1.2 MB`; a KB is 1,000 bytes. */
export function bytesText(bytes: number): string {
  const unit = unitOf(bytes)
  const value = bytes / UNITS[unit]
  return `${unit !== '' && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit.toUpperCase()}B`
}

/** Formats a number with about three digits: `850`, `1.2k`, `33k`, `1.4M`, `2G`. */
export function shortText(value: number): string {
  const unit = unitOf(value)
  return `${rounded(value / UNITS[unit])}${unit}`
}

const UNITS = { G: 1e9, M: 1e6, k: 1e3, '': 1 }
const rounded = (value: number): number => Number(value.toPrecision(3))

/** Returns the largest unit that a value reaches once it is rounded: 999,600 is `1M`. */
const unitOf = (value: number) =>
  (Object.keys(UNITS) as (keyof typeof UNITS)[]).find((unit) => rounded(value) >= UNITS[unit]) ?? ''
