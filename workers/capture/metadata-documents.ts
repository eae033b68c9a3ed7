// Holds the metadata documents of a capture until its records are stored. They are compressed, because there may be
// hundreds of megabytes of them.

const BATCH_BYTES = 4 << 20

export class MetadataDocuments {
  #batches: Uint8Array[] = []
  #documents: unknown[] = []
  #bytes = 0

  /** Adds a document. `bytes` is its approximate length. */
  add(document: unknown, bytes: number): void {
    this.#documents.push(document)
    this.#bytes += bytes
    if (this.#bytes >= BATCH_BYTES) this.#close()
  }

  /** Returns the batches added since the last call, each to be read with `documentsIn`. */
  take(): Uint8Array[] {
    if (this.#documents.length > 0) this.#close()
    const batches = this.#batches
    this.#batches = []
    return batches
  }

  #close(): void {
    this.#batches.push(Bun.zstdCompressSync(JSON.stringify(this.#documents)))
    this.#documents = []
    this.#bytes = 0
  }
}

export const documentsIn = (batch: Uint8Array): unknown[] =>
  JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Bun.zstdDecompressSync(batch))) as unknown[]
