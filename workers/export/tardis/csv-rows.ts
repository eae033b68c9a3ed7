// Writes rows of one of Tardis' data types: a header, then values without quotes, as in Tardis' own files.

import { NUMBER_ROOM, printFixed, printTrimmed } from '../../table/print-number.ts'
import { quotedCsv } from '../../table/quoted-text.ts'
import { GzipText } from '../gzip-text.ts'
import type { NewFile } from '../new-file.ts'

const encoder = new TextEncoder()
const COMMA = 0x2c
const LINE_FEED = 0x0a
const MICRO_PLACES = 6
const US_PER_MS = 1_000

export class CsvRows {
  rowCount = 0
  readonly #gzip: GzipText
  /** `exchange,symbol` of every row. */
  readonly #start: Uint8Array

  constructor(file: NewFile, header: string, exchange: string, symbol: string) {
    this.#gzip = new GzipText(file)
    this.#gzip.text.write(encoder.encode(`${header}\n`))
    this.#start = word(`${exchange},${quotedCsv(symbol)}`)
  }

  /** Starts a row. Times are in µs. */
  begin(eventUs: number, receivedUs: number): this {
    this.#gzip.text.write(this.#start)
    return this.#time(eventUs).#time(receivedUs)
  }

  /** Prints Unix µs in two parts: they have more digits than can be printed at once. */
  #time(us: number): this {
    const { text } = this.#gzip
    text.reserve(NUMBER_ROOM)
    text.bytes[text.length++] = COMMA
    const ms = Math.floor(us / US_PER_MS)
    text.length = printFixed(text.view, text.length, ms, 0)
    const rest = us - ms * US_PER_MS
    text.bytes[text.length++] = 0x30 + Math.floor(rest / 100)
    text.bytes[text.length++] = 0x30 + (Math.floor(rest / 10) % 10)
    text.bytes[text.length++] = 0x30 + (rest % 10)
    return this
  }

  /** Prints a number of 1e-6 units, without trailing zeros. */
  micros(value: number): this {
    const { text } = this.#gzip
    text.reserve(NUMBER_ROOM)
    text.bytes[text.length++] = COMMA
    text.length = printTrimmed(text.view, text.length, value, MICRO_PLACES)
    return this
  }

  word(word: Uint8Array): this {
    this.#gzip.text.writeByte(COMMA)
    this.#gzip.text.write(word)
    return this
  }

  empty(): this {
    this.#gzip.text.writeByte(COMMA)
    return this
  }

  end(): void {
    this.#gzip.text.writeByte(LINE_FEED)
    this.#gzip.rowEnded()
    this.rowCount++
  }

  finish(path: string): void {
    this.#gzip.finish(path, this.rowCount)
  }

  abort(): void {
    this.#gzip.abort()
  }
}

/** Encodes a word of a column once. */
export const word = (text: string): Uint8Array => encoder.encode(text)
