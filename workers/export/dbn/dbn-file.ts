// A file of DBN version 3 (github.com/databento/dbn): metadata, then records of one length. One instrument a file.

import { DAY_MS, dateStartMs, utcDate } from '../../../storage/units.ts'
import { ByteWriter } from '../../bytes/byte-writer.ts'
import type { NewFile } from '../new-file.ts'

/** Numbers of `Schema`. */
export const SCHEMAS = { 'mbp-10': 2, 'ohlcv-1s': 5, 'ohlcv-1m': 6, 'ohlcv-1h': 7 } as const
export type DbnSchema = keyof typeof SCHEMAS

/** Of a text of fixed length, its zero byte included. */
const DATASET_BYTES = 16
export const SYMBOL_BYTES = 71
const RESERVED_BYTES = 53
const RAW_SYMBOL = 1
const INSTRUMENT_ID = 0
const NS_PER_MS = 1_000_000n
const PIECE_BYTES = 1 << 20

export type DbnAbout = { dataset: string; schema: DbnSchema; symbol: string; instrumentId: number; date: string }

export class DbnFile {
  rowCount = 0
  /** Records that change a book of which no snapshot was seen. */
  unseenBook = 0
  readonly #file: NewFile
  readonly #rows = new ByteWriter(PIECE_BYTES + 512)

  constructor(file: NewFile, about: DbnAbout) {
    this.#file = file
    file.write(metadataOf(about))
  }

  /** Zeros for the next record: where it begins. */
  next(length: number): { view: DataView; at: number } {
    const rows = this.#rows
    if (rows.length + length > PIECE_BYTES) this.#flush()
    const at = rows.length
    rows.bytes.fill(0, at, at + length)
    rows.length = at + length
    this.rowCount++
    return { view: rows.view, at }
  }

  finish(path: string): void {
    this.#flush()
    this.#file.finish(path, this.rowCount)
  }

  abort(): void {
    this.#file.abort()
  }

  #flush(): void {
    this.#file.write(this.#rows.bytes.subarray(0, this.#rows.length))
    this.#rows.length = 0
  }
}

function metadataOf({ dataset, schema, symbol, instrumentId, date }: DbnAbout): Uint8Array {
  const startMs = dateStartMs(date)
  const writer = new ByteWriter(1_024)
  const text = (value: string, bytes: number) => {
    const field = new Uint8Array(bytes)
    new TextEncoder().encodeInto(value, field)
    writer.write(field)
  }
  const number = (value: number | bigint, bytes: 1 | 2 | 4 | 8) => {
    const field = new DataView(new ArrayBuffer(8))
    field.setBigUint64(0, BigInt(value), true)
    writer.write(new Uint8Array(field.buffer, 0, bytes))
  }
  text(dataset, DATASET_BYTES)
  number(SCHEMAS[schema], 2)
  number(BigInt(startMs) * NS_PER_MS, 8)
  number(BigInt(startMs + DAY_MS) * NS_PER_MS, 8)
  number(0, 8)
  number(RAW_SYMBOL, 1)
  number(INSTRUMENT_ID, 1)
  number(0, 1)
  number(SYMBOL_BYTES, 2)
  writer.write(new Uint8Array(RESERVED_BYTES))
  // No definition of a schema; one symbol, none partial, none not found; one mapping of one interval.
  number(0, 4)
  number(1, 4)
  text(symbol, SYMBOL_BYTES)
  number(0, 4)
  number(0, 4)
  number(1, 4)
  text(symbol, SYMBOL_BYTES)
  number(1, 4)
  number(Number(date.replaceAll('-', '')), 4)
  number(Number(utcDate(startMs + DAY_MS).replaceAll('-', '')), 4)
  text(String(instrumentId), SYMBOL_BYTES)
  const padding = (8 - (writer.length % 8)) % 8
  writer.write(new Uint8Array(padding))
  const prefix = new Uint8Array(8)
  prefix.set([0x44, 0x42, 0x4e, 3])
  new DataView(prefix.buffer).setUint32(4, writer.length, true)
  return Buffer.concat([prefix, writer.bytes.subarray(0, writer.length)])
}
