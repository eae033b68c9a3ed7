// The head of a partition: everything that counting, availability and seeking need, so that no question about a day
// is answered by reading its blocks.

/** One block of a partition, as the head sees it. */
export type BlockEntry = {
  /** Names the block in its partition. A stored block never changes: one that replaces it has another id. */
  id: number
  /** Of the state that the block starts from; 0 for the first block, which starts from the opening books. */
  stateId: number
  /** Number of the block's first record within the partition. */
  firstRecord: number
  recordCount: number
  firstMs: number
  lastMs: number
  /** Records of each book in this block, in the order of `PartitionHead.books`. */
  bookRecords: number[]
  /** Trades whose price and size can be read: first those of no book, then of each in the order of
   *  `PartitionHead.books`. Empty where there are none. */
  tradeCounts: number[]
  /** Size of the stored block. */
  bytes: number
  /** The books begin anew here, as its state has them: another source is shown from this time on, Unix ms. Left out
   *  where they continue. */
  begins?: number
}

/** Rows of each book, by its index, over [firstRecord, firstRecord + recordCount). A book with no row has no part. */
export type RollupEntry = {
  id: number
  firstRecord: number
  recordCount: number
  minutes: number[]
  /** Null where they would take too much room. */
  seconds: number[] | null
  /** Time of the quote of each book that is open at the end: it is in no row; -1 where none is. */
  openMs: number[]
}

/** Best prices and their sizes. */
export type Top = { bid: number; bidSize: number; ask: number; askSize: number }

/** What the records of a book say of its completeness. */
export type RecordQuality = {
  /** Snapshots of an established book that differ from it in at most one level, and those that differ in more. */
  snapshotsConfirmed: number
  snapshotsContradicted: number
  /** The longest time between two records of the book. */
  longestSilenceMs: number
  /** Quotes of an established book with the venue's own best prices, and those where the book has the same. */
  bestPricesAgreed: number
  bestPricesChecked: number
}

/** Hashes of the venue that the book was compared with, a sample of its quotes (docs/books.md), and those it has. */
export type HashCounts = { hashesAgreed: number; hashesChecked: number }

export type BookQuality = RecordQuality & HashCounts

export type TradeTotals = {
  /** Trades whose price and size can be read. */
  tradeCount: number
  /** Their contracts, a whole number of 1e-6 contracts in decimal digits. */
  tradeVolume: string
}

/** What the records of a book make it: established by a snapshot or by a hash that agrees with the whole book, observed
 *  as far as its levels were seen, lost after a recorded gap. */
export type BookTrust = 'observed' | 'established' | 'lost'

/** What a head says of a book from an instant on. */
export type NotedTrust = BookTrust | 'doubtful' | 'unknown'

/** One book of a partition: an outcome token of Polymarket, the ticker itself on Kalshi. */
export type BookEntry = TradeTotals & {
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
  opening: Top | null
  /** The last quote, where a record of its venue time may still follow: it is counted, and in no rollup. */
  last: (Top & { timeMs: number }) | null
  quality: BookQuality
  /** Levels of its snapshots and changes that are in no book (docs/books.md); left out where there are none. */
  levelsSkipped?: number
  /** Where its trust changes, Unix ms, ascending; 0 is the start of the day. Left out where it follows from
   *  `startsFrom`: established from the start of the day by its opening book, from the first quote by a snapshot;
   *  observed from there otherwise. Doubtful: it goes on from a book that was, or from one before days without data.
   *  Where another source is shown from on: what its book is, unknown where it has none. */
  trust?: [fromMs: number, trust: NotedTrust][]
  /** Place of the record after which a hash of the venue establishes the book, which was only observed; left out where
   *  none does. There may be one in each span. */
  provenAt?: number | number[]
}

export type GapEntry = {
  book: string | null
  reason: string
  fromMs: number | null
  toMs: number | null
  atMs: number
  /** Another recorder heard all of the book from `fromMs` to `toMs`: the gap ends no book. */
  isCovered?: true
}

/** What a recorder says of a book on the date, by which it is known whether it covers the gap of another one. Times are
 *  event times. */
export type HeardBook = {
  /** Its id; left out for a capture that is no segment, which is a recorder of its own. */
  recorder?: string
  /** Null for gaps of the whole market. */
  book: string | null
  /** Snapshots that a capture begins with, or that are the first behind a gap. */
  snapshotsMs: number[]
  /** The first record of a capture that goes on from an earlier one, or from an earlier date; null where none does. */
  goesOnMs: number | null
  /** From when on messages may be missing. */
  gapsMs: number[]
  /** Null where no change was heard. */
  lastChangeMs: number | null
}

export const INFERRED_REASONS = [
  ...(['sequence_restart', 'sequence_hole', 'below_zero', 'crossed', 'unreadable_change'] as const),
  ...(['best_price_contradicts', 'hash_contradicts', 'snapshot_contradicts'] as const),
] as const
export type InferredReason = (typeof INFERRED_REASONS)[number]

/** Where the numbers of a subscription of Kalshi skip some. A capture of the whole subscription shows it; the records
 *  of one market do not. */
export type SequenceHole = {
  /** Event time of the book's last record before it. */
  fromMs: number
}

/** A stretch that no record tells of, but for what comes after it. */
export type InferredGap = {
  /** Its number: its index in `PartitionHead.books` plus one. */
  book: number
  reason: InferredReason
  fromMs: number
  /** Null where neither a snapshot nor an agreeing hash of the book followed. */
  toMs: number | null
  /** Null where the book was not established before. */
  levelsDiffering: number | null
}

/** A span of a day: from an instant on, Unix ms, the records and books of one source are shown. Null is the user's
 *  own. */
export type Span = [source: string | null, fromMs: number]

/** Where the next span begins; infinite of the last one, which ends with the day. */
export const spanEndMs = (spans: readonly Span[], index: number): number =>
  spans[index + 1]?.[1] ?? Number.POSITIVE_INFINITY

/** What one source says of a day of which several tell: a head of its own, encoded. Its parts lie in the partition. */
export type LayerEntry = { source: string | null; recordCount: number; head: Uint8Array }

export type PartitionHead = {
  version: 2
  /** Grows by one with every change of the partition. */
  revision: number
  /** Of the next block, state or rollup: ids are never used twice. */
  nextId: number
  recordCount: number
  tradeCount: number
  firstMs: number
  lastMs: number
  blocks: BlockEntry[]
  rollups: RollupEntry[]
  books: BookEntry[]
  gaps: GapEntry[]
  /** As their snapshots come; last those that would still change if records followed. */
  inferredGaps: InferredGap[]
  /** Snapshots without a venue time that do not stay directly before the next record, although it has the same time or
   *  may yet come. Any other stays before the next record, if that has the same time. */
  looseSnapshots: number[]
  /** [revision, first record changed by it], both ascending: which cursors are still exact. */
  edits: [number, number][]
  /** Trades that name no book; left out where there are none. */
  bookless?: TradeTotals
  /** In a fixed order; left out where there is nothing. */
  heard?: HeardBook[]
  /** Ascending; left out where there are none. */
  sequenceHoles?: SequenceHole[]
  /** The archive that all of it is from; left out for the user's own, and where several sources tell of the day. */
  source?: string
  /** Where several sources tell of the day: the user's own, then archives in the order in which they are asked. The
   *  rest of the head is of what the day shows of them. */
  layers?: LayerEntry[]
  /** Ascending; left out where one source tells of the day. */
  spans?: Span[]
}

/** From when on a block says what the books are, Unix ms. */
export const startMsOf = ({ begins, firstMs }: Pick<BlockEntry, 'begins' | 'firstMs'>): number => begins ?? firstMs

/** Whether another source is shown from some block on. */
export const hasSwitch = ({ blocks }: Pick<PartitionHead, 'blocks'>): boolean =>
  blocks.some(({ begins }) => begins !== undefined)

/** Place of the first record of the span that a block is in. */
export const spanStartOf = ({ blocks }: Pick<PartitionHead, 'blocks'>, block: number): number =>
  blocks.findLast(({ begins }, i) => i <= block && begins !== undefined)?.firstRecord ?? 0

/** Whether the connections of two recorders stand in one day: their numbers step back and forth, and tell nothing. */
export const isOfTwo = (heard: readonly HeardBook[] = []): boolean =>
  new Set(heard.flatMap(({ recorder }) => recorder ?? [])).size > 1

/** Whether segments of a recorder of ours stand in one day: it writes a gap where it misses something, and opens a
 *  connection before it ends another, so numbers that step back tell nothing. */
export const isRecorded = (heard: readonly HeardBook[] = []): boolean =>
  heard.some(({ recorder }) => recorder !== undefined)
