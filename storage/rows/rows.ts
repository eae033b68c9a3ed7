// The ordered key-value port: it holds the small values of a store, on any engine. Keys are compared by their bytes.
// The meaning of the values is implemented once, above the port (catalogue/row-catalogue.ts). An engine only orders
// keys and applies commits.

/** A key has one character for each byte, so strings and every engine order keys in the same way: by their bytes. The
 *  first character is the kind of the row. */
export type RowKey = string
export type Row = { key: RowKey; value: Uint8Array }

/** The first 8 bytes of a value, which begins with its checksum; empty if nothing is stored. Different values have
 *  different revisions. */
export type Revision = Uint8Array

/** The keys from `from` up to `to`, without `to`. Both are of one kind. */
export type KeyRange = { from: RowKey; to: RowKey }
/** The part of a range that is read: up to `limit` rows from the start of the range; if `isReversed`, from its end. */
export type RangePage = KeyRange & { limit: number; isReversed?: boolean }

/** `put` and `remove` name a key only once. `expect` has the rows that the commit was planned on. It must contain each
 *  row that several writers change. It may leave out a row that only changes together with such a row. A row that is
 *  expected to be absent must be among `put`. */
export type RowCommit = {
  expect: readonly { key: RowKey; revision: Revision }[]
  put: readonly Row[]
  remove: readonly RowKey[]
}

/** Every method may reject with DataError('store_unavailable'). */
export interface Rows {
  /** Returns values as of one moment, in the order of the keys; undefined if nothing is stored. If `isFresh`, the
   *  values contain every commit before the call, including those of other processes. */
  get(keys: readonly RowKey[], isFresh?: boolean): Promise<(Uint8Array | undefined)[]>
  /** Returns rows as of one moment, in the order of the keys or the reverse. */
  range(page: RangePage): Promise<Row[]>
  /** Returns the keys of the rows that `range` returns. `offset`: how many rows are left out first. */
  keys(page: RangePage & { offset?: number }): Promise<RowKey[]>
  /** Counts the rows of a range, up to `limit`. */
  count(range: KeyRange, limit?: number): Promise<number>
  /** Applies all of a commit in one transaction, or nothing. Resolves to the indexes of the expected rows whose
   *  revisions have changed. The result is empty if the commit was applied. If it rejects with
   *  DataError('disk_full'), nothing has changed. */
  commit(commit: RowCommit): Promise<number[]>
  /** Makes the commits of other processes visible. Cheap; call it at the start of a task. */
  refresh(): void
}

/** Rows that can also be read without waiting. */
export interface LocalRows extends Rows {
  read(key: RowKey): Uint8Array | undefined
}

const REVISION_BYTES = 8
const ROWS_A_PAGE = 1_000
const ABSENT = new Uint8Array(0)

/** Returns the revision of a stored value. */
export const revisionOf = (value: Uint8Array | undefined): Revision =>
  value === undefined ? ABSENT : value.subarray(0, REVISION_BYTES)

/** Returns whether a stored value has the revision. `revision` may also be a whole value. */
export function hasRevision(value: Uint8Array | undefined, revision: Revision = ABSENT): boolean {
  if (value === undefined || revision.length === 0) return value === undefined && revision.length === 0
  for (let at = 0; at < REVISION_BYTES; at++) if (value[at] !== revision[at]) return false
  return true
}

/** More rows than any store has. */
export const ALL_ROWS = Number.MAX_SAFE_INTEGER
const ATTEMPTS = 1_000

/** Plans a commit and applies it; plans again if another writer has changed a row that the plan expects. `plan`
 *  returns null if nothing changes. The first plan may read cached rows; if `isFresh`, `plan` must read current
 *  rows. */
export async function commitPlanned(rows: Rows, plan: (isFresh: boolean) => Promise<RowCommit | null>): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const planned = await plan(attempt > 0)
    if (planned === null || (await rows.commit(planned)).length === 0) return
  }
  throw new Error('gave up after 1,000 conflicts: other writers are making progress')
}

/** Iterates over a range in pages, each as of one moment. */
export async function* pagesOf(rows: Rows, range: KeyRange, limit = ROWS_A_PAGE): AsyncGenerator<Row[]> {
  for (let { from } = range; ; ) {
    const page = await rows.range({ from, to: range.to, limit })
    if (page.length > 0) yield page
    if (page.length < limit) return
    from = `${page.at(-1)!.key}\0`
  }
}
