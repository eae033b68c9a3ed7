// What all records of DBN begin with, and numbers of 64 bits in them.

const WORD = 2 ** 32
const NS_PER_US = 1_000

/** Of prices that are not there. */
export const NO_DBN_PRICE_HIGH = 0x7fff_ffff
export const NO_DBN_PRICE_LOW = 0xffff_ffff

/** Lengths are in words of 4 bytes. No publisher. */
export function writeHeader(view: DataView, at: number, length: number, type: number, instrumentId: number): void {
  view.setUint8(at, length / 4)
  view.setUint8(at + 1, type)
  view.setUint32(at + 4, instrumentId, true)
}

/** A whole number from 0 to 2^53 times a factor below 2^20. */
export function writeProduct(view: DataView, at: number, value: number, factor: number): void {
  const high = Math.floor(value / WORD)
  const low = (value - high * WORD) * factor
  const carry = Math.floor(low / WORD)
  view.setUint32(at, low - carry * WORD, true)
  view.setUint32(at + 4, high * factor + carry, true)
}

/** Microseconds, as nanoseconds. */
export const writeTime = (view: DataView, at: number, us: number): void => writeProduct(view, at, us, NS_PER_US)

/** 1e-6 dollars, as 1e-9. */
export const writePrice = (view: DataView, at: number, micros: number): void => writeProduct(view, at, micros, 1_000)

export function writeNoPrice(view: DataView, at: number): void {
  view.setUint32(at, NO_DBN_PRICE_LOW, true)
  view.setUint32(at + 4, NO_DBN_PRICE_HIGH, true)
}
