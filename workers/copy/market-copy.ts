// Plans copies of chosen days of a market from one store into another: byte for byte, with what they start from. A
// commit of the target takes effect only where nobody changed the market meanwhile, and what is copied is read back.

import type { CarriedBooks } from '../../storage/block-store.ts'
import type { DateRange, MarketChange, MarketRevision } from '../../storage/catalogue.ts'
import { PartGone } from '../../storage/damage.ts'
import { DataError } from '../../storage/failures.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { isSameBytes } from '../bytes/same-bytes.ts'
import { MarketPlan } from '../partition/market-plan.ts'
import { allParts } from '../partition/needed-parts.ts'
import type { PartitionChange } from '../partition/partition-types.ts'
import { type ChosenDay, chooseDays } from './choose-days.ts'
import { type CopiedState, type CopiedStates, recordsOf, stateOf } from './copied-states.ts'
import { partName, type ReadDay, readDay } from './read-day.ts'
import { renumbered, shiftAbove } from './renumbered.ts'

/** Days of a market are planned together up to so many bytes of blocks: they are in memory at once. */
export const BYTES_A_COMMIT = 64 << 20

export type Copying = { source: Store; target: Store; states: CopiedStates }
export type CopiedMarket = {
  copied: { date: string; records: number; bytes: number }[]
  /** The target had them. */
  same: string[]
  /** `date` is null for what is not of one day. */
  refused: { date: string | null; why: 'other_records' | 'follows_others' | 'damaged' | 'changing'; what: string }[]
}

export type MarketName = { venue: Venue; market: string }

/** What a commit of the target makes of some days of a market. `isLast`: no other days are left. */
export type PlannedCopy = {
  change: MarketChange
  states: CopiedState[]
  bytes: number
  isLast: boolean
  days: CopiedMarket['copied']
}

export class MarketCopy {
  readonly name: MarketName
  readonly result: CopiedMarket = { copied: [], same: [], refused: [] }
  readonly #copying: Copying
  #planned: MarketRevision = { revision: 0, base: 0 }
  /** Of the target, as it is. */
  #stored = new Map<string, PartitionHead>()

  constructor(copying: Copying, name: MarketName) {
    this.#copying = copying
    this.name = name
  }

  /** `more`: days were refused. `again`: somebody was in the way. */
  async plan(range: DateRange): Promise<PlannedCopy | 'done' | 'more' | 'again'> {
    const { source: from, target, states } = this.#copying
    const { venue, market } = this.name
    const days = await from.catalogue.heads(venue, market, range)
    this.#planned = await target.catalogue.revision(venue, market)
    this.#stored = new Map((await target.catalogue.heads(venue, market)).map(({ date, head }) => [date, head]))
    const refused = new Set(this.result.refused.map(({ date }) => date))
    const chosen = chooseDays(this.name, days, this.#stored, states).filter(({ key }) => !refused.has(key.date))
    for (const { key, choice } of chosen) if (choice === 'foreign') this.#refuseForeign(key.date)
    const copied = new Set(this.result.copied.map(({ date }) => date))
    const same = chosen.filter(({ choice }) => choice === 'same')
    this.result.same = same.map(({ key }) => key.date).filter((date) => !copied.has(date))
    const found = same.map(({ key, head, before }) => copyOf(key, head, before!))
    states.settle(found.filter(({ key, source, target }) => !states.isCopyOf(key, source, target)))
    const wanted = chosen.filter(({ choice }) => choice === 'copy')
    if (wanted.length === 0) return 'done'
    try {
      const first = firstOf(wanted)
      const planned = await this.#planDays(first, new Set(same.map(({ key }) => key.date)))
      return typeof planned === 'string' ? planned : { ...planned, isLast: first.length === wanted.length }
    } catch (error) {
      // Another process has changed the market since its heads were read.
      if (error instanceof PartGone && (await this.#isChanged(wanted))) return 'again'
      throw error
    }
  }

  /** The days are committed: they are read back. */
  async finish({ change, states, days }: PlannedCopy): Promise<void> {
    await this.#readBack(change.partitions)
    this.#copying.states.settle(states)
    this.result.copied.push(...days)
  }

  /** Somebody was in the way too often. */
  async giveUp(range: DateRange): Promise<void> {
    const { venue, market } = this.name
    const told = new Set([
      ...[...this.result.copied, ...this.result.refused].map(({ date }) => date),
      ...this.result.same,
    ])
    const left = await this.#copying.source.catalogue.heads(venue, market, range)
    const what = `the ${venue} market ${market} changes all the time: copy it again`
    for (const { date } of left) if (!told.has(date)) this.result.refused.push({ date, why: 'changing', what })
  }

  async #planDays(
    wanted: readonly ChosenDay[],
    same: ReadonlySet<string>,
  ): Promise<Omit<PlannedCopy, 'isLast'> | 'more' | 'again'> {
    const { venue, market } = this.name
    const plan = await MarketPlan.begin(this.#copying.target, venue, market)
    const placed = new Map<string, CopiedState>()
    const days: CopiedMarket['copied'] = []
    for (const day of wanted) {
      const change = await this.#changeOf(day, new Set([...same, ...placed.keys()]))
      if (change === undefined) continue
      plan.place(change)
      const bytes = change.put.reduce((sum, { content }) => sum + content.length, 0)
      placed.set(day.key.date, copyOf(day.key, day.head, change.head!))
      days.push({ date: day.key.date, records: day.head.recordCount, bytes })
    }
    if (placed.size === 0) return 'more'
    if (await this.#isChanged(wanted)) return 'again'
    for (const { key } of placed.values()) if (!this.#isFollowedByCopy(key.date, placed, same)) await plan.follow(key)
    const change = plan.change()
    if (change.revision !== this.#planned.revision) return 'again'
    const bytes = days.reduce((sum, day) => sum + day.bytes, 0)
    return { change, states: [...placed.values()], bytes, days }
  }

  /** Undefined where the day is refused. `here` are the dates that are the source's in the target as well. */
  async #changeOf(day: ChosenDay, here: ReadonlySet<string>): Promise<PlacedChange | undefined> {
    const { source, states } = this.#copying
    const { key, head, before } = day
    // An id of an earlier state of the source names the same part.
    const isEarlier = before !== null && states.isCopyOf(key, stateOf(before), stateOf(before))
    const used = before === null ? this.#planned.base : isEarlier ? 0 : Math.max(before.nextId, before.revision)
    const shift = shiftAbove(used, head)
    const had = before === null ? [] : allParts(before)
    const known = new Set(isEarlier ? had.map(partName) : [])
    let read: ReadDay
    try {
      read = await readDay(source, key, head, known)
    } catch (error) {
      if (!(error instanceof DataError) || error.code !== 'block_corrupt') throw error
      if (error instanceof PartGone && (await this.#isChanged([day]))) throw error
      this.result.refused.push({ date: key.date, why: 'damaged', what: error.message })
      return undefined
    }
    const start = await this.#startIn(key.date, read.start, here)
    if (start === 'other') {
      const what = `the target has other records of the days before it, from which ${key.date} goes on`
      this.result.refused.push({ date: key.date, why: 'follows_others', what })
      return undefined
    }
    const { opening, closing } = read.books
    const books = { opening, closing, ...(start !== null && { carried: start }) }
    const placed = renumbered(head, shift)
    const kept = new Set(allParts(placed).map(partName))
    return {
      key,
      before,
      head: placed,
      books,
      put: read.parts.map(({ bytes, ...part }) => ({ ...part, id: part.id + shift, content: bytes })),
      removed: had.filter((part) => !kept.has(partName(part))),
    }
  }

  /** What the day has to bring with it to start from the same books: null where it starts from a day that is there. */
  async #startIn(
    date: string,
    start: CarriedBooks | null,
    here: ReadonlySet<string>,
  ): Promise<CarriedBooks | null | 'other'> {
    const dates = [...new Set([...this.#stored.keys(), ...here])].sort()
    const last = dates.findLast((each) => each < date)
    if (last === undefined) return start?.closing ? start : null
    if (here.has(last) && last === start?.date) return null
    if (start !== null && last < start.date) return start
    const { target } = this.#copying
    const key = { ...this.name, date: last }
    const { closing } = (await target.blocks.fetch([{ key, kind: 'books' }])).books(key)
    return isSameBytes(closing, start?.closing ?? null) ? null : 'other'
  }

  /** Whether the next day of the target is the source's, so that it goes on from this one already. */
  #isFollowedByCopy(date: string, placed: ReadonlyMap<string, unknown>, same: ReadonlySet<string>): boolean {
    const dates = [...new Set([...this.#stored.keys(), ...placed.keys()])].sort()
    const next = dates.find((each) => each > date)
    return next === undefined || placed.has(next) || same.has(next)
  }

  async #isChanged(days: readonly ChosenDay[]): Promise<boolean> {
    const { source } = this.#copying
    source.refresh()
    for (const { key, head } of days) {
      const now = await source.catalogue.head(key)
      if (now === undefined || stateOf(now) !== stateOf(head)) return true
    }
    return false
  }

  async #readBack(partitions: readonly Written[]): Promise<void> {
    const { target } = this.#copying
    target.refresh()
    for (const { key, head } of partitions) {
      const stored = await target.catalogue.head(key)
      if (stored !== undefined && (stored.revision > head!.revision || stateOf(stored) === stateOf(head!))) continue
      const { venue, market, date } = key
      const message = `The ${venue} market ${market} on ${date} was copied, and reads otherwise`
      throw new DataError('store_unavailable', message)
    }
  }

  #refuseForeign(date: string): void {
    const { venue, market } = this.name
    const what =
      `the target has other records of the ${venue} market ${market} on ${date}: ` +
      'export them from one store and ingest them into the other to merge both'
    this.result.refused.push({ date, why: 'other_records', what })
  }
}

type PlacedChange = PartitionChange & { head: PartitionHead }
type Written = { key: PartitionKey; head: PartitionHead | null }

const copyOf = (key: ChosenDay['key'], source: PartitionHead, target: PartitionHead): CopiedState => ({
  key,
  source: stateOf(source),
  target: stateOf(target),
  records: recordsOf(target),
})

/** As many as are committed together. */
function firstOf(wanted: readonly ChosenDay[]): ChosenDay[] {
  let bytes = 0
  const count = wanted.findIndex(({ head }, index) => {
    bytes += head.blocks.reduce((sum, block) => sum + block.bytes, 0)
    return index > 0 && bytes > BYTES_A_COMMIT
  })
  return count === -1 ? [...wanted] : wanted.slice(0, count)
}
