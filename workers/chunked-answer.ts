// An answer as it is computed: its figures, and its bytes.

/** All reading is done; the chunks are made as they are taken. */
export type ChunkedAnswer<Head> = { head: Head; chunks: AnswerChunks }

export interface AnswerChunks extends Iterator<Uint8Array> {
  /** The client is slow. Of chunks whose sources are smaller than they are, only what is made at once is packed: from
   *  now on by this. Without it all of the rest is made and packed. */
  packParts?: (pack: Pack) => void
}

/** Takes all that is left of the chunks, and gives the same later. */
export type Pack = (chunks: Iterator<Uint8Array>) => Iterator<Uint8Array>
