// A table as text: a JSON array, objects of JSON one a line, or CSV. The texts between the values are constant, and a
// row that repeats the values of the row before is copied but for its time.

import { ByteWriter } from '../bytes/byte-writer.ts'
import { NUMBER_ROOM, printFixed, printTrimmed, printWhole } from './print-number.ts'
import { PRICE_PLACES, printPrice } from './print-price.ts'
import { type Column, NULL, type Table } from './table.ts'
import { putText, type WordText, wordText } from './text-words.ts'

export type TextLayout = 'json' | 'ndjson' | 'csv'

const CHUNK_BYTES = 128 * 1_024
const encoder = new TextEncoder()

/** Takes the chunks out of the table, and has no more than one of them. */
export function* tableText(table: Table, layout: TextLayout): Generator<Uint8Array> {
  const rows = new RowText(table, layout)
  for (let next = table.chunks.next(); !next.done; next = table.chunks.next()) {
    const { rowCount, timestampsMs, entries, values } = next.value
    rows.begin(values)
    for (let row = 0; row < rowCount; row++) {
      rows.write(timestampsMs[row]!, entries[row]!)
      if (rows.isFull) yield rows.take()
    }
  }
  rows.end()
  if (!rows.isEmpty) yield rows.take()
}

const [WHOLE, FLAG, PRICE, DECIMAL] = [0, 1, 2, 3]
const [FALSE, TRUE] = [wordText('false'), wordText('true')]

/** A value of a row, and the text before it. */
type Cell = WordText & { kind: number; places: number }

class RowText {
  readonly #layout: TextLayout
  readonly #null: WordText
  readonly #rowStart: WordText
  readonly #cells: Cell[]
  readonly #rowEnd: WordText
  readonly #timestampDivisor: number
  readonly #rowBytesMax: number
  readonly #writer: ByteWriter
  #values: Float64Array = new Float64Array(0)
  #isBegun = false
  /** The values that were written last, and where they are in the writer. */
  #entry = -1
  #entryStart = 0
  #entryEnd = 0

  constructor({ columns, constants, timestampUnit }: Table, layout: TextLayout) {
    const isCsv = layout === 'csv'
    this.#layout = layout
    this.#null = wordText(isCsv ? '' : 'null')
    this.#timestampDivisor = timestampUnit === 's' ? 1_000 : 1
    this.#cells = columns.map((column, i) => cellOf(column, isCsv ? ',' : jsonBefore(column, columns[i - 1])))
    this.#rowEnd = wordText(
      isCsv ? '\n' : `${columns.at(-1)?.group === undefined ? '' : '}'}}${layout === 'json' ? '' : '\n'}`,
    )
    const csvStart = constants.map(({ text }) => `${quotedCsv(text)},`).join('')
    this.#rowStart = wordText(isCsv ? csvStart : `${layout === 'json' ? ',' : ''}{"timestamp":`)
    this.#rowBytesMax =
      this.#rowStart.length + NUMBER_ROOM + this.#cells.reduce((sum, { length }) => sum + length + NUMBER_ROOM, 16)
    this.#writer = new ByteWriter(CHUNK_BYTES + this.#rowBytesMax)
    const names = [...constants.map(({ name }) => name), 'timestamp', ...columns.map(({ name }) => name)]
    if (isCsv) this.#writer.write(encoder.encode(`${names.map(quotedCsv).join(',')}\n`))
  }

  get isFull(): boolean {
    return this.#writer.length >= CHUNK_BYTES
  }

  get isEmpty(): boolean {
    return this.#writer.length === 0
  }

  /** What was written since it was taken last. */
  take(): Uint8Array {
    this.#entry = -1
    return this.#writer.take()
  }

  /** From now on entries are of these values. */
  begin(values: Float64Array): void {
    this.#entry = -1
    this.#values = values
  }

  write(timestampMs: number, entry: number): void {
    const writer = this.#writer
    writer.reserve(this.#rowBytesMax)
    const { bytes, view, length } = writer
    let at = putText(view, length, this.#rowStart)
    if (!this.#isBegun) this.#begun(bytes, length)
    at = printWhole(view, at, timestampMs / this.#timestampDivisor)
    if (entry === this.#entry) {
      bytes.copyWithin(at, this.#entryStart, this.#entryEnd)
      writer.length = at + this.#entryEnd - this.#entryStart
      return
    }
    this.#entry = entry
    this.#entryStart = at
    this.#entryEnd = this.#writeEntry(view, at, entry)
    writer.length = this.#entryEnd
  }

  #begun(bytes: Uint8Array, at: number): void {
    this.#isBegun = true
    if (this.#layout === 'json') bytes[at] = OPEN
  }

  /** Ends the array. */
  end(): void {
    if (this.#layout !== 'json') return
    if (!this.#isBegun) this.#writer.writeByte(OPEN)
    this.#writer.writeByte(CLOSE)
  }

  #writeEntry(view: DataView, start: number, entry: number): number {
    const cells = this.#cells
    const values = this.#values
    const first = cells.length * entry
    let at = start
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!
      const { words } = cell
      for (let word = 0; word < words.length; word++) view.setFloat64(at + 8 * word, words[word]!, true)
      at += cell.length
      const value = values[first + i]!
      if (value === NULL) at = putText(view, at, this.#null)
      else if (cell.kind === PRICE) at = printPrice(view, at, value)
      else if (cell.kind === DECIMAL) at = printTrimmed(view, at, value, cell.places)
      else if (cell.kind === WHOLE) at = printFixed(view, at, value, 0)
      else at = putText(view, at, value === 1 ? TRUE : FALSE)
    }
    return putText(view, at, this.#rowEnd)
  }
}

const [OPEN, CLOSE] = [0x5b, 0x5d]

function cellOf({ type }: Column, before: string): Cell {
  const cell = { ...wordText(before), kind: WHOLE, places: 0 }
  if (type === 'flag') cell.kind = FLAG
  else if (type !== 'whole') {
    cell.kind = type.places === PRICE_PLACES ? PRICE : DECIMAL
    cell.places = type.places
  }
  return cell
}

/** What stands in JSON between the value of the column before and this one's. */
function jsonBefore({ name, group }: Column, last: Column | undefined): string {
  if (group !== undefined && group.name === last?.group?.name) return `,"${group.key}":`
  const end = last?.group === undefined ? ',' : '},'
  return group === undefined ? `${end}"${name}":` : `${end}"${group.name}":{"${group.key}":`
}

/** RFC 4180. */
const quotedCsv = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
