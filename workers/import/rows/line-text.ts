// Builds the text of one line of a capture, in bytes that are reused for each line.

import { ByteWriter } from '../../bytes/byte-writer.ts'
import type { LineReader } from '../../capture/capture-lines.ts'
import { NUMBER_ROOM, printFixed, printTrimmed, printWhole } from '../../table/print-number.ts'

const encoder = new TextEncoder()

/** Encodes a literal text once, to be used for all lines. */
export const literal = (text: string): Uint8Array => encoder.encode(text)

export class LineText {
  readonly #writer = new ByteWriter(4_096)
  readonly #lines: LineReader

  constructor(lines: LineReader) {
    this.#lines = lines
  }

  text(bytes: Uint8Array): this {
    this.#writer.write(bytes)
    return this
  }

  /** Prints an integer above -1e15 and below 1e15. */
  whole(value: number): this {
    const writer = this.#writer
    writer.reserve(NUMBER_ROOM)
    const { view, length } = writer
    writer.length = value < 0 ? printFixed(view, length, value, 0) : printWhole(view, length, value)
    return this
  }

  /** Prints a decimal without trailing zeros, as venues do: 4900 units with four places are 0.49. */
  decimal(units: number, places: number): this {
    const writer = this.#writer
    writer.reserve(NUMBER_ROOM)
    writer.length = printTrimmed(writer.view, writer.length, units, places)
    return this
  }

  /** Prints a decimal with all its places: 4900 units with four places are 0.4900. */
  fixed(units: number, places: number): this {
    const writer = this.#writer
    writer.reserve(NUMBER_ROOM)
    writer.length = printFixed(writer.view, writer.length, units, places)
    return this
  }

  /** Returns the line instead of passing it on, and starts the next one. */
  take(): Uint8Array {
    return this.#writer.take()
  }

  /** Passes the line on as row `number` of its file, and starts the next one. */
  end(number: number): void {
    const { bytes, length } = this.#writer
    this.#writer.length = 0
    this.#lines.line(bytes, 0, length, number)
  }
}
