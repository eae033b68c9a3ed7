// Values that only this program reads, as bytes.

import { Packr } from 'msgpackr'

/** What is changed in one transaction, so that nobody who waits for it waits long. */
const AT_ONCE = 500

const packr = new Packr({ useRecords: false })

export const packed = (value: unknown): Buffer => packr.pack(value)
export const unpacked = <T>(bytes: Uint8Array): T => packr.unpack(bytes) as T

/** A text that a venue chose, as it is kept. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8')
export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

export function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE)
}
