// What is used of an inner module of Flechette: its encoder of finished buffers. The declarations of that package are
// beside other files than the ones they describe.

declare module '@uwdata/flechette/src/encode/encode-ipc.js' {
  import type { Schema } from '@uwdata/flechette'

  type Batch = {
    byteLength: number
    nodes: { length: number; nullCount: number }[]
    /** Where each buffer is in the body. */
    regions: { offset: number; length: number }[]
    variadic: number[]
    buffers: Uint8Array[]
  }
  type Messages = {
    schema?: Schema
    dictionaries?: { id: number; isDelta: boolean; data: Batch }[]
    records?: Batch[]
  }
  /** Writes the messages, and the end of the stream as a piece of its own. */
  export function encodeIPC<Sink extends { write(piece: Uint8Array): void }>(data: Messages, to: { sink: Sink }): Sink
}
