// An answer as it is computed: its head and its bytes.

/** When the answer is returned, all reading is done; each chunk is computed when it is taken. */
export type ChunkedAnswer<Head> = { head: Head; chunks: AnswerChunks }

export interface AnswerChunks extends Iterator<Uint8Array> {
  /** Called if the client is slow. For chunks whose sources are smaller than they are: from now on, `pack` packs what
   *  is computed at once. Without this method, all of the rest is computed and packed. */
  packParts?: (pack: Pack) => void
}

/** Takes all remaining chunks, and returns the same chunks later. */
export type Pack = (chunks: Iterator<Uint8Array>) => Iterator<Uint8Array>
