// Writes a numpy file: a zip with one array of structures, as `np.load(path)['data']` reads it. Written from start to
// end, one piece of the array after the other. Sources:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, and APPNOTE.TXT of PKWARE.

import { constants, crc32, deflateRawSync } from 'node:zlib'

const ENTRY = new TextEncoder().encode('data.npy')
/** Flag: sizes follow the data, because they are not known before. */
const FLAGS = 1 << 3
const [STORED_VERSION, DEFLATED] = [20, 8]
/** 1980-01-01, the first date in a zip. The date is fixed so that equal rows give equal bytes. */
const [NO_TIME, FIRST_DAY] = [0, 0x21]
const BYTES_MAX = 0xffff_ffff
const LEVEL = 3
/** An empty block that is marked as the last. */
const LAST_BLOCK = Uint8Array.of(0x03, 0x00)

export type NpzField = readonly [name: string, type: '<u8' | '<i8' | '<f8']

export class NpzFile {
  readonly #write: (bytes: Uint8Array) => void
  #offset = 0
  #crc = 0
  #plainBytes = 0
  #packedBytes = 0
  readonly #headerBytes: number

  /** Throws RangeError if there are more rows than this kind of zip can hold. */
  constructor(fields: readonly NpzField[], rowCount: number, write: (bytes: Uint8Array) => void) {
    const header = arrayHeader(fields, rowCount)
    const rowsMax = Math.floor((BYTES_MAX - header.length) / (8 * fields.length))
    if (rowCount > rowsMax) throw new RangeError(`a .npz file has room for ${rowsMax} rows, got ${rowCount}`)
    this.#write = (bytes) => {
      write(bytes)
      this.#offset += bytes.length
    }
    this.#write(Buffer.concat([localHeader(), ENTRY]))
    this.#headerBytes = this.#offset
    this.add(header)
  }

  /** Adds the next rows, without splitting one. */
  add(bytes: Uint8Array): void {
    this.#crc = crc32(bytes, this.#crc)
    this.#plainBytes += bytes.length
    // Each piece ends at a byte boundary, so the next one can follow.
    this.#write(deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }))
  }

  end(): void {
    this.#write(LAST_BLOCK)
    this.#packedBytes = this.#offset - this.#headerBytes
    this.#write(record([[0x0807_4b50, 4], ...this.#sizes()]))
    const directoryAt = this.#offset
    const directory = [
      [0x0201_4b50, 4] as const,
      ...[[STORED_VERSION, 2] as const, [STORED_VERSION, 2] as const, [FLAGS, 2] as const, [DEFLATED, 2] as const],
      ...[[NO_TIME, 2] as const, [FIRST_DAY, 2] as const],
      ...this.#sizes(),
      ...[[ENTRY.length, 2] as const, [0, 2] as const, [0, 2] as const, [0, 2] as const, [0, 2] as const],
      ...[[0, 4] as const, [0, 4] as const],
    ]
    this.#write(Buffer.concat([record(directory), ENTRY]))
    const directoryBytes = this.#offset - directoryAt
    const counts = [[0, 2] as const, [0, 2] as const, [1, 2] as const, [1, 2] as const]
    this.#write(record([[0x0605_4b50, 4], ...counts, [directoryBytes, 4], [directoryAt, 4], [0, 2]]))
  }

  #sizes = (): Integer[] => [
    [this.#crc, 4],
    [this.#packedBytes, 4],
    [this.#plainBytes, 4],
  ]
}

type Integer = readonly [value: number, bytes: 2 | 4]

const localHeader = () =>
  record([
    [0x0403_4b50, 4],
    ...[[STORED_VERSION, 2] as const, [FLAGS, 2] as const, [DEFLATED, 2] as const, [NO_TIME, 2] as const],
    ...[[FIRST_DAY, 2] as const, [0, 4] as const, [0, 4] as const, [0, 4] as const],
    ...[[ENTRY.length, 2] as const, [0, 2] as const],
  ])

/** Encodes integers as little-endian. */
function record(integers: readonly Integer[]): Uint8Array {
  const bytes = Buffer.alloc(integers.reduce((sum, [, count]) => sum + count, 0))
  let at = 0
  for (const [value, count] of integers) at = bytes.writeUIntLE(value, at, count)
  return bytes
}

/** Returns the header, padded to the alignment of arrays. */
function arrayHeader(fields: readonly NpzField[], rowCount: number): Uint8Array {
  const descr = fields.map(([name, type]) => `('${name}', '${type}')`).join(', ')
  const text = `{'descr': [${descr}], 'fortran_order': False, 'shape': (${rowCount},), }`
  const start = [0x93, ...Buffer.from('NUMPY'), 1, 0]
  const length = Math.ceil((start.length + 2 + text.length + 1) / 64) * 64 - start.length - 2
  return Buffer.concat([Uint8Array.from(start), record([[length, 2]]), Buffer.from(`${text.padEnd(length - 1)}\n`)])
}
