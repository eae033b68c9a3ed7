// An answer as it is computed: its head and its bytes.

/** When the answer is returned, all reading is done; each chunk is computed when it is taken. */
export type ChunkedAnswer<Head> = { head: Head; chunks: AnswerChunks }

export interface AnswerChunks extends Iterator<Uint8Array> {
  /** Called if the client is slow. From then on, `pack` packs the chunks of one source (a block) at a time. Exists
   *  only if the sources take less memory than their chunks. Without this method, the caller computes and packs all
   *  remaining chunks. */
  packParts?: (pack: Pack) => void
}

/** Computes all remaining chunks now, stores them packed, and returns them one by one later. */
export type Pack = (chunks: Iterator<Uint8Array>) => Iterator<Uint8Array>
