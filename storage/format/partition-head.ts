// The head of a partition: everything that counting, availability and seeking need, so that no question about a day
// is answered by reading its blocks.

/** One block of a partition, as the head sees it. */
export type BlockEntry = {
  /** Number of the block's first record within the partition. */
  firstRecord: number
  recordCount: number
  firstMs: number
  lastMs: number
  /** Records of each book in this block, in the order of `PartitionHead.books`. */
  bookRecords: number[]
}

/** One book of a partition: an outcome token of Polymarket, the ticker itself on Kalshi. */
export type BookEntry = {
  id: string
  /** 0 for a book that is only carried from an earlier day. */
  recordCount: number
  /** Complete quotes of the day. */
  quoteCount: number
  firstQuoteMs: number | null
  lastQuoteMs: number | null
  /** What the book starts from on this day. */
  startsFrom: 'snapshot' | 'opening_book' | 'neither'
  snapshotCount: number
}

export type GapEntry = { book: string | null; reason: string; fromMs: number | null; toMs: number | null; atMs: number }

export type PartitionHead = {
  version: 1
  /** Grows by one with every change of the partition. */
  revision: number
  recordCount: number
  firstMs: number
  lastMs: number
  blocks: BlockEntry[]
  books: BookEntry[]
  gaps: GapEntry[]
  /** Snapshots without a venue time that nothing followed in their capture: they are placed by their own time, where
   *  any other stays directly before the record after it. */
  looseSnapshots: number[]
  /** [revision, first record changed by it], both ascending: which cursors are still exact. */
  edits: [number, number][]
  /** Closing and opening books, encoded by workers/book/book-state.ts. */
  openingBooks: Uint8Array | null
  closingBooks: Uint8Array | null
}
