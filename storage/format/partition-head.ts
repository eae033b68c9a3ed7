// The head of a partition has the counts, times and positions of its records, so that queries for these do not read
// the blocks of the day.

/** One block of a partition, as described in the head. */
export type BlockEntry = {
  /** Identifies the block in its partition. A stored block never changes: its replacement has another id. */
  id: number
  /** Id of the state that the block starts from; 0 for the first block, which starts from the opening books. */
  stateId: number
  /** Index of the block's first record within the partition. */
  firstRecord: number
  recordCount: number
  firstMs: number
  lastMs: number
  /** Records of each book in this block, in the order of `PartitionHead.books`. */
  bookRecords: number[]
  /** Trades whose price and size can be read: first those without a book, then those of each book in the order of
   *  `PartitionHead.books`. Empty if there are none. */
  tradeCounts: number[]
  /** Size of the stored block, bytes. */
  bytes: number
  /** Set if the day shows another source from this block on: the time of the switch, Unix ms. The books then start
   *  anew, as in the block's state. Left out if the books continue. */
  begins?: number
}

/** Rollups over the records [firstRecord, firstRecord + recordCount). `minutes` and `seconds` hold the number of rows
 *  of each book, by its index. A book with no row has no part. */
export type RollupEntry = {
  id: number
  firstRecord: number
  recordCount: number
  minutes: number[]
  /** Null if the rows would take too much room. */
  seconds: number[] | null
  /** For each book, the time of the quote that is still open at the end, which is in no row; -1 if there is none. */
  openMs: number[]
}

/** Best bid and ask prices, and their sizes. */
export type Top = { bid: number; bidSize: number; ask: number; askSize: number }

/** What the records of a book show about its completeness. */
export type RecordQuality = {
  /** The number of snapshots of an established book that differ from the book in at most one level, and the number of
   *  those that differ in more levels. */
  snapshotsConfirmed: number
  snapshotsContradicted: number
  /** The longest time between two records of the book. */
  longestSilenceMs: number
  /** Counts quotes of an established book that contain the venue's own best prices. `bestPricesAgreed` counts those
   *  that agree with the book, `bestPricesChecked` all of them. */
  bestPricesAgreed: number
  bestPricesChecked: number
}

/** The number of venue hashes that agree with the book, and of all that were checked. Only a sample of the book's
 *  quotes is checked (docs/books.md). */
export type HashCounts = { hashesAgreed: number; hashesChecked: number }

export type BookQuality = RecordQuality & HashCounts

export type TradeTotals = {
  /** Trades whose price and size can be read. */
  tradeCount: number
  /** The volume of these trades: a whole number of 1e-6 contracts, as decimal digits. */
  tradeVolume: string
}

/** How well the records establish a book. `established`: by a snapshot, or by a hash that agrees with the whole book.
 *  `observed`: only the levels that were seen are known. `lost`: after a recorded gap. */
export type BookTrust = 'observed' | 'established' | 'lost'

/** The trust that a head records for a book from an instant on. */
export type NotedTrust = BookTrust | 'doubtful' | 'unknown'

/** One book of a partition: an outcome token of Polymarket, or the ticker itself on Kalshi. */
export type BookEntry = TradeTotals & {
  id: string
  /** 0 for a book that is only carried over from an earlier day. */
  recordCount: number
  /** Complete quotes of the day. */
  quoteCount: number
  firstQuoteMs: number | null
  lastQuoteMs: number | null
  /** What the book starts from on this day. */
  startsFrom: 'snapshot' | 'opening_book' | 'neither'
  snapshotCount: number
  opening: Top | null
  /** The last quote, if more records of its venue time may still follow. It is counted, but is in no rollup. */
  last: (Top & { timeMs: number }) | null
  quality: BookQuality
  /** The number of levels in the book's snapshots and changes that are in no book (docs/books.md); left out if there
   *  are none. */
  levelsSkipped?: number
  /** Instants at which the book's trust changes, Unix ms, ascending; 0 is the start of the day. Left out if the trust
   *  follows from `startsFrom`: a book that starts from an opening book is established from the start of the day. A
   *  book that starts from a snapshot is established from the first quote. Any other book is observed from the first
   *  quote. `doubtful`: the book continues a doubtful book, or a book from before days without data. At a switch of
   *  sources, the trust is that of the new source's book; `unknown` if that source has none. */
  trust?: [fromMs: number, trust: NotedTrust][]
  /** Index of the record after which a venue hash establishes the book. Before that, the book was only observed. Left
   *  out if no hash establishes it. A list if there is such a record in several spans. */
  provenAt?: number | number[]
}

export type GapEntry = {
  book: string | null
  reason: string
  fromMs: number | null
  toMs: number | null
  atMs: number
  /** Set if another recorder received the whole book from `fromMs` to `toMs`: then the gap does not end the book. */
  isCovered?: true
}

/** The times at which a recorder received records of a book on the date. They decide whether this recorder covers a
 *  gap of another recorder. All are event times. */
export type BookTimes = {
  /** The recorder's id; left out for a capture that is not a segment. Such a capture counts as a recorder of its
   *  own. */
  recorder?: string
  /** The id of the book; null for gaps of the whole market. */
  book: string | null
  /** Times of the snapshots that begin a capture, or that are the first after a gap. */
  snapshotsMs: number[]
  /** The time of the first record of a capture that continues an earlier capture, or an earlier date; null if none
   *  does. */
  goesOnMs: number | null
  /** Times from which messages may be missing. */
  gapsMs: number[]
  /** The time of the last change; null if no change was received. */
  lastChangeMs: number | null
}

export const INFERRED_REASONS = [
  ...(['sequence_restart', 'sequence_hole', 'below_zero', 'crossed', 'unreadable_change'] as const),
  ...(['best_price_contradicts', 'hash_contradicts', 'snapshot_contradicts'] as const),
] as const
export type InferredReason = (typeof INFERRED_REASONS)[number]

/** A hole in the sequence numbers of a Kalshi subscription. Only a capture of the whole subscription shows it; the
 *  records of one market do not. */
export type SequenceHole = {
  /** Event time of the book's last record before the hole. */
  fromMs: number
}

/** A gap that no record states: it is inferred from the records that follow. */
export type InferredGap = {
  /** Number of the book: its index in `PartitionHead.books` plus one. */
  book: number
  reason: InferredReason
  fromMs: number
  /** Null if neither a snapshot nor an agreeing hash of the book followed. */
  toMs: number | null
  /** Null if the book was not established before the gap. */
  levelsDiffering: number | null
}

/** A span of a day: from an instant on (Unix ms), the day shows the records and books of one source. Null is the user's
 *  own. */
export type Span = [source: string | null, fromMs: number]

/** Returns where the next span begins; infinity for the last one, which ends with the day. */
export const spanEndMs = (spans: readonly Span[], index: number): number =>
  spans[index + 1]?.[1] ?? Number.POSITIVE_INFINITY

/** One source's layer of a day that several sources have: an encoded head of its own. The layer's parts are stored in
 *  the partition. */
export type LayerEntry = { source: string | null; recordCount: number; head: Uint8Array }

export type PartitionHead = {
  version: 2
  /** Grows by one with every change of the partition. */
  revision: number
  /** Id of the next block, state or rollup. Ids are never used twice. */
  nextId: number
  recordCount: number
  tradeCount: number
  firstMs: number
  lastMs: number
  blocks: BlockEntry[]
  rollups: RollupEntry[]
  books: BookEntry[]
  gaps: GapEntry[]
  /** Sorted by the snapshots that end the gaps. The gaps that would still change if more records followed come last. */
  inferredGaps: InferredGap[]
  /** Indexes of loose snapshots. A merge usually leaves a snapshot without a venue time directly before the next
   *  record, if both have the same time. It may move a loose snapshot away from that record: in the snapshot's own
   *  capture, no record of the same time follows. */
  looseSnapshots: number[]
  /** Pairs of a revision and the index of the first record that this revision changed, both ascending. They show
   *  which cursors are still valid. */
  edits: [number, number][]
  /** Trades that name no book; left out if there are none. */
  bookless?: TradeTotals
  /** What the recorders received, in a fixed order; left out if it is empty. */
  heard?: BookTimes[]
  /** Ascending; left out if there are none. */
  sequenceHoles?: SequenceHole[]
  /** The archive that the whole partition comes from. Left out if the records are the user's own, or if several sources
   *  have the day. */
  source?: string
  /** Set if several sources have the day: the user's own layer, then archives in order of preference. The other fields
   *  of the head describe the day as shown. */
  layers?: LayerEntry[]
  /** The spans of the day, ascending; left out if only one source has the day. */
  spans?: Span[]
  /** Trades that the user's own spans borrow from an archive; left out if there are none. */
  borrowed?: TradeTotals
}

/** Returns the time from which a block defines the books, Unix ms. */
export const startMsOf = ({ begins, firstMs }: Pick<BlockEntry, 'begins' | 'firstMs'>): number => begins ?? firstMs

/** Returns whether the date switches to another source at some block. */
export const hasSwitch = ({ blocks }: Pick<PartitionHead, 'blocks'>): boolean =>
  blocks.some(({ begins }) => begins !== undefined)

/** Returns the index of the first record of the span that a block belongs to. */
export const spanStartOf = ({ blocks }: Pick<PartitionHead, 'blocks'>, block: number): number =>
  blocks.findLast(({ begins }, i) => i <= block && begins !== undefined)?.firstRecord ?? 0

/** Returns whether a day holds records of more than one recorder. The sequence numbers of such a day jump back and
 *  forth, so they do not show whether messages are missing. */
export const isOfTwo = (heard: readonly BookTimes[] = []): boolean =>
  new Set(heard.flatMap(({ recorder }) => recorder ?? [])).size > 1

/** Returns whether a day holds segments of a recorder of this program. Such a recorder writes a gap where it misses
 *  something, and opens a new connection before it ends the old one. So sequence numbers that step back do not show
 *  that messages are missing. */
export const isRecorded = (heard: readonly BookTimes[] = []): boolean =>
  heard.some(({ recorder }) => recorder !== undefined)
