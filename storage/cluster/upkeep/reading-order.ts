// The order of a partition's pieces in a large segment: pieces that are read together are stored together. A summary
// reads minutes and books, or books and seconds, of one book of the market. A page of records reads blocks. A replay
// reads a state, then blocks.

import type { PieceId, PlacedPiece } from '../segment/pieces.ts'

const RANK: Record<PieceId['kind'], number> = { minutes: 0, books: 1, seconds: 2, state: 3, block: 4 }

export const inReadingOrder = (pieces: readonly PlacedPiece[]): PlacedPiece[] =>
  [...pieces].sort((a, b) => RANK[a.kind] - RANK[b.kind] || a.book - b.book || a.id - b.id)
