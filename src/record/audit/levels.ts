// The levels of a book that the recorder compares with REST, as integers in 1e-6, and the parser of such numbers. Pure.

/** Size in 1e-6 contracts by price in 1e-6 dollars. The sign of the price tells the side. */
export type Levels = ReadonlyMap<number, number>

const [ZERO, POINT, MINUS] = [48, 46, 45]
/** Factors that convert an integer to micros, by its number of decimal places. */
const SCALES = [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1]
const WHOLE_DIGITS_MAX = 9

/** Parses a decimal with at most nine digits before the point and six after it, exactly, into 1e-6. Returns undefined
 *  for anything else. */
export function microsOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  let micros = 0
  let point = text.length
  for (let at = start; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO
    if (digit >= 0 && digit <= 9) micros = micros * 10 + digit
    else if (digit === POINT - ZERO && point === text.length) point = at
    else return undefined
  }
  const wholes = point - start
  const places = Math.max(0, text.length - point - 1)
  const scale = SCALES[places]
  const isOpen = places === 0 && (wholes === 0 || point < text.length)
  if (isOpen || wholes > WHOLE_DIGITS_MAX || scale === undefined) return undefined
  return start === 1 ? -micros * scale : micros * scale
}
