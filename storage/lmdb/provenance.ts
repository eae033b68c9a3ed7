// Provenance in the store on LMDB.

import {
  type ArchiveLoad,
  type ArchiveQuality,
  type DayQuality,
  inOrder,
  loadName,
  type Provenance,
} from '../finding/provenance.ts'
import { utcDate } from '../units.ts'
import type { Venue } from '../venue.ts'
import { inTransaction } from './commit.ts'
import { addQuality, forgetQuality, openLoad, openQuality, putLoad, qualityKey } from './finding/kept-provenance.ts'
import { type Databases, KEY_END, type Key } from './values/databases.ts'
import { getMeta, putMeta } from './values/stored-values.ts'

/** Days that are looked at in one transaction, so that nobody else who writes waits for long. */
const DAYS_AT_ONCE = 500
const STAMP = 'provenance'

export class LmdbProvenance implements Provenance {
  readonly #databases: Databases
  readonly #folder: string

  /** `folder` is the data folder, for the messages of failures. */
  constructor(databases: Databases, folder: string) {
    this.#databases = databases
    this.#folder = folder
  }

  async putLoads(loads: ArchiveLoad[], quality: ArchiveQuality[]): Promise<void> {
    if (loads.length + quality.length === 0) return
    const days = Map.groupBy(quality, ({ venue, market, hourMs }) => `${venue} ${market} ${utcDate(hourMs)}`)
    const named = loads.map((load) => [loadName(load), load] as const)
    this.#change(() => {
      for (const [name, load] of named) putLoad(this.#databases, name, load)
      for (const said of days.values()) {
        const { venue, market, hourMs } = said[0]!
        addQuality(this.#databases, { venue, market, date: utcDate(hourMs) }, said)
      }
    })
  }

  async provenanceStamp(): Promise<number> {
    return getMeta<number>(this.#databases, STAMP) ?? 0
  }

  async loads(): Promise<ArchiveLoad[]> {
    const entries = this.#databases.metadata.getRange({ start: ['load', ''], end: ['load', KEY_END] })
    return inOrder([...entries].map(({ key, value }) => openLoad(key, value)))
  }

  async quality(venue: Venue, market: string): Promise<DayQuality[]> {
    const range = { start: ['quality', venue, market, ''], end: ['quality', venue, market, KEY_END] }
    const days = [...this.#databases.metadata.getRange(range)].map(({ key, value }) => openQuality(key, value))
    return days.map(({ date, hours }) => ({ date, hours }))
  }

  async removeQuality(source: string, venue: Venue, market: string, dates: string[]): Promise<void> {
    this.#forget(
      source,
      dates.map((date) => qualityKey({ venue, market, date })),
    )
  }

  async removeLoads(source: string): Promise<number> {
    const { metadata } = this.#databases
    this.#forget(source, [...metadata.getKeys({ start: ['quality', ''], end: ['quality', KEY_END] })])
    const loads = [...metadata.getKeys({ start: ['load', source, ''], end: ['load', source, KEY_END] })]
    this.#change(() => {
      for (const key of loads) metadata.removeSync(key)
    })
    return loads.length
  }

  #change(work: () => void): void {
    inTransaction(this.#databases.root, this.#folder, () => {
      work()
      putMeta(this.#databases, STAMP, (getMeta<number>(this.#databases, STAMP) ?? 0) + 1)
    })
  }

  #forget(source: string, days: Key[]): void {
    for (let from = 0; from < days.length; from += DAYS_AT_ONCE) {
      this.#change(() => {
        for (const key of days.slice(from, from + DAYS_AT_ONCE)) {
          forgetQuality(this.#databases, key, source)
        }
      })
    }
  }
}
