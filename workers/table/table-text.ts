// Encodes a table as text: a JSON array, JSON objects one per line, or CSV. The texts between the values are constant.
// A row that repeats the values of the row before is copied, except for its time.

import { ByteWriter } from '../bytes/byte-writer.ts'
import { allColumns, chooseColumns } from './chosen-columns.ts'
import { NUMBER_ROOM, printDouble, printFixed, printTrimmed, printWhole } from './print-number.ts'
import { PRICE_PLACES, printPrice } from './print-price.ts'
import { putCopied, putCsvText, putJsonText, quotedCsv } from './quoted-text.ts'
import { columnNames, NULL, type Table, type TableChunk, type TablePart } from './table.ts'
import { type Cell, csvCells, DECIMAL, DOUBLE, FLAG, jsonCells, LEVEL, NAME, PRICE, TEXT, WHOLE } from './text-cells.ts'
import { putText, type WordText, wordText } from './text-words.ts'

export type TextLayout = 'json' | 'ndjson' | 'csv'

type Selection = { names?: readonly string[] | undefined; part?: TablePart | undefined }

const CHUNK_BYTES = 128 * 1_024
const encoder = new TextEncoder()

/** Encodes a table and consumes its chunks, one at a time. `names` selects the columns of CSV, if given. */
export function* tableText(table: Table, layout: TextLayout, selection: Selection = {}): Generator<Uint8Array> {
  const rows = new RowText(table, layout, selection)
  for (let next = table.chunks.next(); !next.done; next = table.chunks.next()) {
    const { rowCount, timestampsMs, entries } = next.value
    rows.begin(next.value)
    for (let row = 0; row < rowCount; row++) {
      rows.write(timestampsMs[row]!, entries[row]!)
      if (rows.isFull) yield rows.take()
    }
  }
  rows.end()
  if (!rows.isEmpty) yield rows.take()
}

const [FALSE, TRUE] = [wordText('false'), wordText('true')]
const [OPEN, CLOSE] = [0x5b, 0x5d]

class RowText {
  readonly #layout: TextLayout
  readonly #null: WordText
  readonly #rowStart: WordText
  readonly #hasTimestamp: boolean
  readonly #cells: Cell[]
  readonly #rowEnd: WordText
  readonly #timestampDivisor: number
  readonly #writer: ByteWriter
  #rowBytesMax = 0
  #isBegun = false
  /** The entry written last, and where its values are in the writer. */
  #entry = -1
  #entryStart = 0
  #entryEnd = 0

  constructor(table: Table, layout: TextLayout, { names, part }: Selection) {
    const isCsv = layout === 'csv'
    this.#layout = layout
    this.#null = wordText(isCsv ? '' : 'null')
    this.#timestampDivisor = table.timestampUnit === 's' ? 1_000 : 1
    const { constants, hasTimestamp, columns } = isCsv ? chooseColumns(table, names) : allColumns(table)
    this.#hasTimestamp = hasTimestamp
    if (isCsv) {
      const shared = constants.map(({ text }) => quotedCsv(text)).join(',')
      this.#rowStart = wordText(shared !== '' && hasTimestamp ? `${shared},` : shared)
      this.#cells = csvCells(columns, hasTimestamp || shared !== '')
      this.#rowEnd = wordText('\n')
    } else {
      const { cells, end } = jsonCells(columns)
      const rowConstants = layout === 'ndjson' && part !== undefined ? constants : []
      const shared = rowConstants.map(({ name, text }) => `${JSON.stringify(name)}:${JSON.stringify(text)},`).join('')
      this.#rowStart = wordText(`${layout === 'json' ? ',' : ''}{${shared}"timestamp":`)
      this.#cells = cells
      this.#rowEnd = wordText(layout === 'json' ? `${end}}` : `${end}}\n`)
    }
    this.#writer = new ByteWriter(CHUNK_BYTES + this.#roomOfRow())
    const head = columnNames(columns, constants, hasTimestamp)
    if (isCsv && part?.isFirst !== false) this.#writer.write(encoder.encode(`${head.map(quotedCsv).join(',')}\n`))
  }

  get isFull(): boolean {
    return this.#writer.length >= CHUNK_BYTES
  }

  get isEmpty(): boolean {
    return this.#writer.length === 0
  }

  /** Returns the text since the last call. */
  take(): Uint8Array {
    this.#entry = -1
    return this.#writer.take()
  }

  /** Starts a chunk. All entries until the next call are entries of this chunk. */
  begin(chunk: TableChunk): void {
    this.#entry = -1
    for (const cell of this.#cells) cell.begin(chunk)
    this.#rowBytesMax = this.#roomOfRow()
  }

  #roomOfRow(): number {
    const ends = this.#rowStart.length + NUMBER_ROOM + this.#rowEnd.length
    return this.#cells.reduce((sum, { room }) => sum + room, ends)
  }

  write(timestampMs: number, entry: number): void {
    const writer = this.#writer
    writer.reserve(this.#rowBytesMax)
    const { bytes, view, length } = writer
    let at = putText(view, length, this.#rowStart)
    if (!this.#isBegun) this.#begun(bytes, length)
    if (this.#hasTimestamp) at = printWhole(view, at, timestampMs / this.#timestampDivisor)
    if (entry === this.#entry) {
      bytes.copyWithin(at, this.#entryStart, this.#entryEnd)
      writer.length = at + this.#entryEnd - this.#entryStart
      return
    }
    this.#entry = entry
    this.#entryStart = at
    this.#entryEnd = this.#writeEntry(bytes, view, at, entry)
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

  #writeEntry(bytes: Uint8Array, view: DataView, start: number, entry: number): number {
    const cells = this.#cells
    let at = start
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!
      const { words } = cell
      for (let word = 0; word < words.length; word++) view.setFloat64(at + 8 * word, words[word]!, true)
      at += cell.length
      const value = cell.values[entry]!
      if (value === NULL) {
        if (cell.next > 0) i = cell.next - 1
        else at = putText(view, at, this.#null)
      } else if (cell.kind === PRICE) at = printPrice(view, at, value)
      else if (cell.kind === DECIMAL) at = printTrimmed(view, at, value, cell.places)
      else if (cell.kind === WHOLE) at = printFixed(view, at, value, 0)
      else if (cell.kind === FLAG) at = putText(view, at, value === 1 ? TRUE : FALSE)
      else at = this.#writeRare(bytes, view, at, cell, value)
    }
    return putText(view, at, this.#rowEnd)
  }

  #writeRare(bytes: Uint8Array, view: DataView, at: number, cell: Cell, value: number): number {
    const { kind, texts } = cell
    if (kind === LEVEL) {
      const start = putText(view, at, cell.opening)
      return cell.places === PRICE_PLACES
        ? printPrice(view, start, value)
        : printTrimmed(view, start, value, cell.places)
    }
    if (kind === DOUBLE) return printDouble(bytes, view, at, value)
    if (kind === NAME) return putCopied(bytes, at, texts, value)
    if (kind !== TEXT) return at
    return this.#layout === 'csv' ? putCsvText(bytes, at, texts, value) : putJsonText(bytes, at, texts, value)
  }
}
