// Writes an Arrow stream: messages one after the other, each with a header and the buffers of its columns as they are
// in memory. First comes the schema, then the dictionaries, batches of rows and the end. Source:
// https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc

import type { Field } from '@uwdata/flechette'
import { type Batch, encodeIPC, type Messages } from '@uwdata/flechette/src/encode/encode-ipc.js'

/** The rows of a column, or its dictionary. The buffers are in the order that the format defines for the type. */
export type ArrowVector = { length: number; nullCount: number; buffers: Uint8Array[] }

export type ArrowSchema = {
  fields: Field[]
  metadata: ReadonlyMap<string, string>
  /** Dictionaries of columns. The type of a column names its dictionary by `id`. */
  dictionaries: { id: number; texts: readonly string[] }[]
}

/** The bytes that end a stream. */
export const END_OF_STREAM: readonly number[] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]
const encoder = new TextEncoder()
const ALIGNMENT = 8

export class ArrowStream {
  /** Headers, buffers and padding that were written but not yet taken. Only `take` copies the buffers. */
  #pieces: Uint8Array[] = []

  /** Starts a stream. If `schema` is null, continues a stream that already has its schema. */
  constructor(schema: ArrowSchema | null) {
    if (schema === null) return
    const { fields, metadata, dictionaries } = schema
    const batches = dictionaries.map(({ id, texts }) => ({ id, isDelta: false, data: batchOf([textVector(texts)]) }))
    this.#write({ schema: { fields, metadata: new Map(metadata) }, dictionaries: batches })
  }

  /** Adds a batch of rows: a vector for each field, all of one length. The vectors must not change until `take`. */
  add(vectors: ArrowVector[]): void {
    this.#write({ records: [batchOf(vectors)] })
  }

  /** Ends the stream: nothing may follow. */
  end(): void {
    this.#pieces.push(Uint8Array.from(END_OF_STREAM))
  }

  /** Returns the bytes that were written since the last call, in a buffer of their own. */
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

  // Drops the last piece: the encoder adds the end of the stream after every message.
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
