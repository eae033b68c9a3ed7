// An answer as it is computed: its head and its bytes.

/** When the answer is returned, all reading is done; each chunk is computed when it is taken. */
export type ChunkedAnswer<Head> = { head: Head; chunks: AnswerChunks }

export interface AnswerChunks extends Iterator<Uint8Array> {
  /** Called if the client is slow: from then on, `pack` packs only what is computed at one time. Exists only if the
   *  sources of the chunks are smaller than the chunks. Without this method, all remaining chunks are computed and
   *  packed. */
  packParts?: (pack: Pack) => void
}

/** Takes all remaining chunks, and returns the same chunks later. */
export type Pack = (chunks: Iterator<Uint8Array>) => Iterator<Uint8Array>
