// A stream of Arrow: messages one after the other, each a header and the buffers of its columns as they lie in memory.
// First the schema, then the dictionaries, then batches of rows, then the end.
// Source: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc

import type { Field } from '@uwdata/flechette'
import { type Batch, encodeIPC, type Messages } from '@uwdata/flechette/src/encode/encode-ipc.js'

/** The rows of a column, or its dictionary: buffers in the order that its type has them in the format. */
export type ArrowVector = { length: number; nullCount: number; buffers: Uint8Array[] }

export type ArrowSchema = {
  fields: Field[]
  metadata: ReadonlyMap<string, string>
  /** Of each column that has one, by the id that its type names. */
  dictionaries: { id: number; texts: readonly string[] }[]
}

/** What ends a stream. */
export const END_OF_STREAM: readonly number[] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]
const encoder = new TextEncoder()
const ALIGNMENT = 8

export class ArrowStream {
  /** What was written and not yet taken: headers, buffers and padding. Buffers are not copied before. */
  #pieces: Uint8Array[] = []

  /** Without a schema it goes on with a stream that has one. */
  constructor(schema: ArrowSchema | null) {
    if (schema === null) return
    const { fields, metadata, dictionaries } = schema
    const batches = dictionaries.map(({ id, texts }) => ({ id, isDelta: false, data: batchOf([textVector(texts)]) }))
    this.#write({ schema: { fields, metadata: new Map(metadata) }, dictionaries: batches })
  }

  /** A batch of rows: a vector for each field, of one length. They must stay as they are until `take`. */
  add(vectors: ArrowVector[]): void {
    this.#write({ records: [batchOf(vectors)] })
  }

  /** Nothing may follow. */
  end(): void {
    this.#pieces.push(Uint8Array.from(END_OF_STREAM))
  }

  /** What was written since it was taken last, in a buffer of its own. */
  take(): Uint8Array {
    const length = this.#pieces.reduce((sum, piece) => sum + piece.length, 0)
    const taken = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
    let at = 0
    for (const piece of this.#pieces) {
      taken.set(piece, at)
      at += piece.length
    }
    this.#pieces = []
    return taken
  }

  // The encoder ends each stream that it is given.
  #write(messages: Messages): void {
    encodeIPC(messages, { sink: { write: (piece) => this.#pieces.push(piece) } })
    this.#pieces.pop()
  }
}

function batchOf(vectors: ArrowVector[]): Batch {
  const buffers = vectors.flatMap((vector) => vector.buffers)
  let byteLength = 0
  const regions = buffers.map(({ length }) => {
    const offset = byteLength
    byteLength += ALIGNMENT * Math.ceil(length / ALIGNMENT)
    return { offset, length }
  })
  const nodes = vectors.map(({ length, nullCount }) => ({ length, nullCount }))
  return { byteLength, nodes, regions, variadic: [], buffers }
}

function textVector(texts: readonly string[]): ArrowVector {
  const bytes = texts.map((text) => encoder.encode(text))
  const offsets = new Int32Array(texts.length + 1)
  bytes.forEach(({ length }, i) => {
    offsets[i + 1] = offsets[i]! + length
  })
  const none = new Uint8Array(0)
  return { length: texts.length, nullCount: 0, buffers: [none, new Uint8Array(offsets.buffer), Buffer.concat(bytes)] }
}
