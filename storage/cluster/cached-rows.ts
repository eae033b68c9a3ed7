// The rows of a cluster. Caches the rows of markets and their days, for one thread. Cached values are shared, so their
// readers must not change them.

import { below, keyOf, SECRET_KEY } from '../rows/keys.ts'
import {
  ALL_ROWS,
  hasRevision,
  type KeyRange,
  type RangePage,
  type Row,
  type RowCommit,
  type RowKey,
  type Rows,
} from '../rows/rows.ts'
import { type Listener, type NamedMarket, namedMarket } from './cluster-rows.ts'
import { type CacheOptions, type Known, MarketCache, ROW_BYTES, type Value } from './market-cache.ts'

export class CachedRows implements Rows, Listener {
  readonly #rows: Rows
  readonly #markets: MarketCache
  #secret: Value

  constructor(rows: Rows, options?: CacheOptions) {
    this.#rows = rows
    this.#markets = new MarketCache(rows, options)
  }

  refresh(): void {
    this.#markets.refresh()
    this.#rows.refresh()
  }

  changed(markets: readonly NamedMarket[]): void {
    this.#markets.changed(markets)
  }

  lost(): void {
    this.#markets.lost()
  }

  watching(): void {
    this.#markets.watching()
  }

  async get(keys: readonly RowKey[], isFresh = false): Promise<Value[]> {
    if (keys.length === 1 && !isFresh) return [await this.#getOne(keys[0]!)]
    const others: RowKey[] = []
    const byMarket = new Map<string, RowKey[]>()
    for (const key of keys) {
      const name = marketOf(key)
      if (name === undefined) others.push(key)
      else byMarket.getOrInsertComputed(name, () => []).push(key)
    }
    if (isFresh) for (const name of byMarket.keys()) this.#markets.forget(name)
    const values = new Map<RowKey, Value>()
    await Promise.all([
      this.#getOthers(others, values),
      ...byMarket.entries().map(async ([name, some]) => {
        const known = await this.#markets.withDays(name, async () => some.filter((key) => key[0] === DAY))
        for (const key of some) values.set(key, valueIn(known, key))
      }),
    ])
    return keys.map((key) => values.get(key))
  }

  /** Does the same as `get` for one key, in less time: most queries need one row. */
  async #getOne(key: RowKey): Promise<Value> {
    const name = marketOf(key)
    if (name !== undefined) {
      const known =
        key[0] === DAY ? await this.#markets.withDays(name, async () => [key]) : await this.#markets.known(name)
      return valueIn(known, key)
    }
    // The secret never changes. With the cached secret, cursors can be checked even while the database is unavailable.
    if (key === SECRET_KEY && this.#secret !== undefined) return this.#secret
    const [value] = await this.#rows.get([key])
    if (key === SECRET_KEY) this.#secret = value
    return value
  }

  async range(page: RangePage): Promise<Row[]> {
    const name = marketOf(page.from)
    if (page.from[0] !== DAY || name === undefined || !page.to.startsWith(`${DAY}${name}${END}`)) {
      return this.#rows.range(page)
    }
    let dates: RowKey[] = []
    const known = await this.#markets.withDays(name, async (market) => {
      dates = pageOf(await this.#datesOf(name, market), page)
      return dates
    })
    return dates.flatMap((key) => {
      const value = known.days.get(key)
      return value === undefined ? [] : [{ key, value }]
    })
  }

  keys(page: RangePage & { offset?: number }): Promise<RowKey[]> {
    return this.#rows.keys(page)
  }

  count(range: KeyRange, limit?: number): Promise<number> {
    return this.#rows.count(range, limit)
  }

  /** Commits, and updates the changed rows in the cache, so that the next commit of their market finds them there. */
  async commit(commit: RowCommit): Promise<number[]> {
    let changed: number[] | undefined
    try {
      changed = await this.#rows.commit(commit)
      return changed
    } finally {
      if (changed?.length === 0) this.#noteCommit(commit)
      else for (const name of marketsOf(commit.expect)) this.#markets.forget(name)
    }
  }

  #noteCommit({ expect, put, remove }: RowCommit): void {
    // If a commit expected other rows of a market than the cached ones, the cached rows cannot be updated from it, so
    // they are dropped.
    for (const row of expect) {
      const known = this.#changing(row.key)
      if (known !== undefined && !isExpected(known, row)) this.#markets.forget(marketOf(row.key)!)
    }
    for (const { key, value } of put) this.#noteRow(key, value)
    for (const key of remove) this.#noteRow(key, undefined)
  }

  #noteRow(key: RowKey, value: Value): void {
    const known = this.#changing(key)
    if (known !== undefined) this.#markets.makeRoom(marketOf(key)!, known, setRow(known, key, value))
  }

  /** Returns the cached rows of the market of a row that a commit has changed; undefined if none are cached. */
  #changing(key: RowKey): Known | undefined {
    const name = marketOf(key)
    return name === undefined ? undefined : this.#markets.changing(name)
  }

  async #getOthers(keys: readonly RowKey[], values: Map<RowKey, Value>): Promise<void> {
    if (keys.length === 0) return
    for (const [index, value] of (await this.#rows.get(keys)).entries()) values.set(keys[index]!, value)
  }

  async #datesOf(name: string, known: Known): Promise<RowKey[]> {
    const { venue, market } = namedMarket(name)
    while (known.dates === undefined) {
      const [entry] = known.entry
      const dates = await this.#rows.keys({ ...below(keyOf(DAY, venue, market)), limit: ALL_ROWS })
      // A commit of this thread may have changed the market meanwhile.
      if (known.entry[0] === entry) known.dates = dates
    }
    return known.dates
  }
}

const DAY = 'd'
const ENTRY = 'm'
/** Kinds of rows that belong to a market and change with its entry. */
const OF_MARKETS = new Set([ENTRY, 'r', DAY])

const END = '\0'
/** This byte follows each zero byte that is part of a name. A zero byte without it ends the name. */
const ESCAPE = '\xff'

/** Returns the name of the market that a row belongs to; undefined for rows that are not cached. */
function marketOf(key: RowKey): string | undefined {
  if (!OF_MARKETS.has(key[0]!)) return undefined
  const end = key.indexOf(END, key.indexOf(END) + 1)
  return end === -1 || key[end + 1] === ESCAPE ? undefined : key.slice(1, end)
}

const marketsOf = (rows: readonly { key: RowKey }[]): Set<string> =>
  new Set(rows.flatMap(({ key }) => marketOf(key) ?? []))

const valueIn = ({ entry, days }: Known, key: RowKey): Value =>
  key[0] === DAY ? days.get(key) : entry[key[0] === ENTRY ? 0 : 1]

function pageOf(dates: readonly RowKey[], { from, to, limit, isReversed = false }: RangePage): RowKey[] {
  const found = dates.filter((key) => key >= from && key < to)
  if (isReversed) found.reverse()
  return found.slice(0, limit)
}

const isExpected = (known: Known, { key, revision }: RowCommit['expect'][number]): boolean =>
  (key[0] === DAY && !known.days.has(key)) || hasRevision(valueIn(known, key), revision)

/** Sets a cached row, and returns the number of added bytes. */
function setRow(known: Known, key: RowKey, value: Value): number {
  const before = valueIn(known, key)
  const added = (value?.length ?? 0) - (before?.length ?? 0)
  if (key[0] !== DAY) {
    known.entry[key[0] === ENTRY ? 0 : 1] = value
    return added
  }
  const isNew = !known.days.has(key)
  if (known.dates?.includes(key) !== (value !== undefined)) known.dates = undefined
  known.days.set(key, value)
  return isNew ? ROW_BYTES + added : added
}
