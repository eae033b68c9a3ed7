// What all records of DBN begin with, and numbers of 64 bits in them.

import { writeProduct } from '../../bytes/wide-product.ts'

const NS_PER_US = 1_000

/** Of prices that are not there. */
const NO_PRICE_HIGH = 0x7fff_ffff
const NO_PRICE_LOW = 0xffff_ffff

/** Lengths are in words of 4 bytes. No publisher. */
export function writeHeader(view: DataView, at: number, length: number, type: number, instrumentId: number): void {
  view.setUint8(at, length / 4)
  view.setUint8(at + 1, type)
  view.setUint32(at + 4, instrumentId, true)
}

/** Microseconds, as nanoseconds. */
export const writeTime = (view: DataView, at: number, us: number): void => writeProduct(view, at, us, NS_PER_US)

/** 1e-6 dollars, as 1e-9. */
export const writePrice = (view: DataView, at: number, micros: number): void => writeProduct(view, at, micros, 1_000)

export function writeNoPrice(view: DataView, at: number): void {
  view.setUint32(at, NO_PRICE_LOW, true)
  view.setUint32(at + 4, NO_PRICE_HIGH, true)
}
