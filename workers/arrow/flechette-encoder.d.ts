// Declares the parts of an inner Flechette module that we use: its encoder of finished buffers. The package's own
// declarations are in another folder than the files that they describe.

declare module '@uwdata/flechette/src/encode/encode-ipc.js' {
  import type { Schema } from '@uwdata/flechette'

  type Batch = {
    byteLength: number
    nodes: { length: number; nullCount: number }[]
    /** Place of each buffer in the body. */
    regions: { offset: number; length: number }[]
    variadic: number[]
    buffers: Uint8Array[]
  }
  type Messages = {
    schema?: Schema
    dictionaries?: { id: number; isDelta: boolean; data: Batch }[]
    records?: Batch[]
  }
  /** Writes the messages, and the end of the stream as a separate piece. */
  export function encodeIPC<Sink extends { write(piece: Uint8Array): void }>(data: Messages, to: { sink: Sink }): Sink
}
