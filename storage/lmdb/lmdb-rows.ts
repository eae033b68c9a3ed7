// Rows in the LMDB environment. A reader sees its own version of the file and waits for no writer.

import { ABORT } from 'lmdb'
import { writeFailure } from '../data-folder/disk-space.ts'
import { DataError } from '../failures.ts'
import { withRetry } from '../retry/with-retry.ts'
import {
  ALL_ROWS,
  hasRevision,
  type KeyRange,
  type LocalRows,
  type RangePage,
  type Row,
  type RowCommit,
  type RowKey,
} from '../rows/rows.ts'
import { type Databases, databaseOf, type RowDatabase } from './databases.ts'

const ATTEMPTS = 5
/** Returns whether the error comes from LMDB's list of free pages. The list sometimes makes a commit fail; the commit
 *  has then changed nothing (https://github.com/kriszyp/lmdb-js/issues/321). */
const isOfFreePages = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('MDB_BAD_TXN')

export class LmdbRows implements LocalRows {
  readonly #databases: Databases
  readonly #folder: string

  /** The owner of the environment closes it. `folder` is the data folder, for error messages. */
  constructor(databases: Databases, folder: string) {
    this.#databases = databases
    this.#folder = folder
  }

  read(key: RowKey): Uint8Array | undefined {
    return this.#of(key).get(key)
  }

  async get(keys: readonly RowKey[], isFresh = false): Promise<(Uint8Array | undefined)[]> {
    if (isFresh) this.refresh()
    return keys.map((key) => this.#of(key).get(key))
  }

  async range(page: RangePage): Promise<Row[]> {
    return [...this.#of(page.from).getRange(lmdbRange(page))]
  }

  async keys({ offset = 0, ...page }: RangePage & { offset?: number }): Promise<RowKey[]> {
    return [...this.#of(page.from).getKeys({ ...lmdbRange(page), offset })]
  }

  async count({ from, to }: KeyRange, limit = ALL_ROWS): Promise<number> {
    return this.#of(from).getKeysCount({ start: from, end: to, limit })
  }

  async commit({ expect, put, remove }: RowCommit): Promise<number[]> {
    const { root } = this.#databases
    let changed: number[] = []
    // Removes dead readers: otherwise the pages that they read could never be reused.
    root.readerCheck()
    const once = async () => {
      root.transactionSync(() => {
        changed = expect.flatMap(({ key, revision }, index) =>
          hasRevision(this.#of(key).get(key), revision) ? [] : [index],
        )
        if (changed.length > 0) return ABORT
        for (const { key, value } of put) this.#of(key).putSync(key, value)
        for (const key of remove) this.#of(key).removeSync(key)
        return undefined
      })
      return changed
    }
    return withRetry(once, { attempts: ATTEMPTS, isPassing: isOfFreePages }).catch((error) => {
      throw isOfFreePages(error) ? this.#freePagesFailure(error) : writeFailure(error, this.#folder)
    })
  }

  #freePagesFailure(error: Error): DataError {
    const text = `The store in ${this.#folder} cannot be written: ${error.message}. What was stored before is kept`
    return new DataError('store_unavailable', `${text}. If it lasts, "backbook compact" makes a new list of free pages`)
  }

  refresh(): void {
    this.#databases.root.resetReadTxn()
  }

  #of(key: RowKey): RowDatabase {
    return this.#databases[databaseOf(key)]
  }
}

/** Returns the range for LMDB. A reversed range of LMDB leaves out the key at which it begins and includes the one at
 *  which it ends. */
const lmdbRange = ({ from, to, limit, isReversed = false }: RangePage) =>
  isReversed
    ? { start: to, end: from, limit, reverse: true, exclusiveStart: true, inclusiveEnd: true }
    : { start: from, end: to, limit }
