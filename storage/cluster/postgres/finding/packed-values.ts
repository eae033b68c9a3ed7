// Encodes values that only this program reads.

import { Packr } from 'msgpackr'

/** The most rows of one transaction, so that other writers never wait for long. */
const AT_ONCE = 500

const packr = new Packr({ useRecords: false })

export const packed = (value: unknown): Buffer => packr.pack(value)
export const unpacked = <T>(bytes: Uint8Array): T => packr.unpack(bytes) as T

/** Encodes a text that a venue chose. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8')
export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

export function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE)
}
