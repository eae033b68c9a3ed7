// Reads the API's Arrow answers: a stream of a schema, dictionaries of texts, and batches of rows. Supports only the
// types that the explorer requests, and throws for others. A library that reads all of Arrow would be a tenth of the
// page.
// Source: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc

import { type FlatTable, rootTable } from './flat-buffer.ts'
import { joined } from './joined.ts'

/** A column in one batch: its number of rows, its validity bitmap (empty if no value is null), and its raw values. */
type Piece = { rows: number; validity: Uint8Array; values: Uint8Array }
type Column = { name: string; kind: Kind; dictionary: number | null; pieces: Piece[] }
type Kind = 'float32' | 'float64' | 'int8' | 'int32' | 'int64' | 'list' | 'text'

/** Constants of the format, from Schema.fbs and Message.fbs. */
const [SCHEMA, DICTIONARY, BATCH] = [1, 2, 3]
const [INT, FLOAT, UTF8, TIMESTAMP, FIXED_LIST] = [2, 3, 5, 10, 16]
const CONTINUES = 0xffff_ffff
const WORD = 2 ** 32
const decoder = new TextDecoder()

export class ArrowTable {
  readonly metadata: ReadonlyMap<string, string>
  rows = 0
  readonly #columns: Column[]
  readonly #dictionaries = new Map<number, string[]>()

  /** Throws if the bytes are not a complete stream, or contain an unsupported type. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const messages = messagesOf(view)
    const schema = messages.next().value
    if (schema?.type !== SCHEMA) throw new Error('a stream of Arrow begins with its schema')
    this.metadata = new Map(schema.header.tables(2).map((each) => [each.text(0), each.text(1)]))
    this.#columns = schema.header.tables(1).map(columnOf)
    for (const { type, header, body } of messages) {
      if (type === BATCH) this.rows += take(header, body, this.#columns)
      else if (type === DICTIONARY) this.#dictionaries.set(header.whole(0), textsOf(header.table(1)!, body))
      else throw new Error(`a message of Arrow that is not known: ${type}`)
    }
  }

  /** Returns a column of numbers, NaN for null. Throws if the column is missing or not numeric. */
  numbers(name: string): Float64Array {
    const { kind, pieces } = this.#column(name)
    const numbers = new Float64Array(this.rows)
    let at = 0
    for (const { rows, validity, values } of pieces) {
      const { buffer, byteOffset } = values
      if (kind === 'float64') numbers.set(new Float64Array(buffer, byteOffset, rows), at)
      else if (kind === 'int64') {
        const low = new Uint32Array(buffer, byteOffset, 2 * rows)
        const high = new Int32Array(buffer, byteOffset, 2 * rows)
        for (let row = 0; row < rows; row++) numbers[at + row] = high[2 * row + 1]! * WORD + low[2 * row]!
      } else throw new Error(`the column ${name} has no numbers, it is ${kind}`)
      if (validity.length > 0)
        for (let row = 0; row < rows; row++) if (!isThere(validity, row)) numbers[at + row] = Number.NaN
      at += rows
    }
    return numbers
  }

  /** Returns a column of dictionary-encoded texts. Throws if it has no dictionary. */
  texts(name: string): (string | null)[] {
    const { kind, dictionary, pieces } = this.#column(name)
    const texts = dictionary === null ? undefined : this.#dictionaries.get(dictionary)
    if (texts === undefined) throw new Error(`the column ${name} has no dictionary, it is ${kind}`)
    return pieces.flatMap(({ rows, validity, values }) => {
      const { buffer, byteOffset } = values
      const indexes =
        kind === 'int8' ? new Int8Array(buffer, byteOffset, rows) : new Int32Array(buffer, byteOffset, rows)
      return Array.from(indexes, (index, row) =>
        validity.length === 0 || isThere(validity, row) ? texts[index]! : null,
      )
    })
  }

  /** Returns the items of all rows of a list column, one row after another. */
  items(name: string): Float32Array {
    const { kind, pieces } = this.#column(name)
    if (kind !== 'list') throw new Error(`the column ${name} has no lists, it is ${kind}`)
    const items = pieces.map(({ values }) => new Float32Array(values.buffer, values.byteOffset, values.length / 4))
    return joined(items, Float32Array)
  }

  #column(name: string): Column {
    const column = this.#columns.find((each) => each.name === name)
    if (column === undefined) throw new Error(`the answer has no column ${name}`)
    return column
  }
}

type Message = { type: number; header: FlatTable; body: Uint8Array }

function* messagesOf(view: DataView): Generator<Message, undefined> {
  for (let at = 0; ; ) {
    if (at + 8 > view.byteLength) throw new Error('a stream of Arrow stops before its end')
    if (view.getUint32(at, true) !== CONTINUES) throw new Error('a message of Arrow does not begin as it should')
    const length = view.getInt32(at + 4, true)
    if (length === 0) return
    const message = rootTable(view, at + 8)
    const header = message.table(2)
    if (header === null) throw new Error('a message of Arrow has no header')
    const start = at + 8 + length
    at = start + message.whole(3)
    if (at > view.byteLength) throw new Error('a stream of Arrow stops in a message')
    yield { type: message.byte(1), header, body: new Uint8Array(view.buffer, view.byteOffset + start, at - start) }
  }
}

function columnOf(field: FlatTable): Column {
  const [name, dictionary] = [field.text(0), field.table(4)]
  const kind = dictionary === null ? kindOf(field, name) : indexKind(dictionary, name)
  return { name, kind, dictionary: dictionary === null ? null : dictionary.whole(0), pieces: [] }
}

function kindOf(field: FlatTable, name: string): Kind {
  const [id, type] = [field.byte(2), field.table(3)!]
  if (id === TIMESTAMP || (id === INT && type.int(0) === 64)) return 'int64'
  if (id === FLOAT && type.short(0) > 0) return type.short(0) === 1 ? 'float32' : 'float64'
  if (id === UTF8) return 'text'
  if (id === FIXED_LIST && kindOf(field.tables(5)[0]!, name) === 'float32') return 'list'
  throw new Error(`the column ${name} is of a type that is not known: ${id}`)
}

function indexKind(dictionary: FlatTable, name: string): Kind {
  const bits = dictionary.table(1)?.int(0)
  if (bits === 8 || bits === 32) return `int${bits}`
  throw new Error(`the column ${name} has indexes of ${bits} bits`)
}

/** Adds a batch to the columns and returns its number of rows. A plain column has a validity buffer and a values
 *  buffer. A list column has, in place of its values buffer, the validity buffer and the values buffer of its items. A
 *  text column has an additional offsets buffer. */
function take(batch: FlatTable, body: Uint8Array, columns: readonly Column[]): number {
  const rows = batch.whole(0)
  const buffers = buffersOf(batch, body)
  for (const { kind, pieces } of columns) {
    const validity = buffers.next().value!
    if (kind === 'list' || kind === 'text') buffers.next()
    pieces.push({ rows, validity, values: buffers.next().value! })
  }
  return rows
}

function textsOf(batch: FlatTable, body: Uint8Array): string[] {
  const [, offsets, texts] = buffersOf(batch, body) as unknown as [Uint8Array, Uint8Array, Uint8Array]
  const ends = new Int32Array(offsets.buffer, offsets.byteOffset, batch.whole(0) + 1)
  return Array.from(ends.subarray(1), (end, i) => decoder.decode(texts.subarray(ends[i], end)))
}

function* buffersOf(batch: FlatTable, body: Uint8Array): Generator<Uint8Array, undefined> {
  for (const { offset, length } of batch.regions(2)) {
    if (offset + length > body.length) throw new Error('a buffer of Arrow ends after its message')
    yield body.subarray(offset, offset + length)
  }
}

const isThere = (validity: Uint8Array, row: number): boolean => ((validity[row >> 3]! >> (row & 7)) & 1) === 1
