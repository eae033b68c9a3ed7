// Provenance in memory.

import {
  type ArchiveLoad,
  type ArchiveQuality,
  addedQuality,
  type DayQuality,
  inOrder,
  loadName,
  type Provenance,
} from '../finding/provenance.ts'
import { utcDate } from '../units.ts'
import type { Venue } from '../venue.ts'
import { type MemoryState, nameOf } from './memory-state.ts'

export class MemoryProvenance implements Provenance {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async putLoads(loads: ArchiveLoad[], quality: ArchiveQuality[]): Promise<void> {
    if (loads.length + quality.length === 0) return
    const named = loads.map((load): [string, ArchiveLoad] => [`${load.source} ${loadName(load)}`, load])
    this.#state.provenanceStamp++
    for (const [name, load] of named) this.#state.loads.set(name, structuredClone(load))
    for (const said of quality) {
      const days = this.#state.quality.get(nameOf(said.venue, said.market)) ?? new Map()
      const date = utcDate(said.hourMs)
      days.set(date, addedQuality(days.get(date) ?? [], [said]))
      this.#state.quality.set(nameOf(said.venue, said.market), days)
    }
  }

  async provenanceStamp(): Promise<number> {
    return this.#state.provenanceStamp
  }

  async loads(): Promise<ArchiveLoad[]> {
    return inOrder(structuredClone([...this.#state.loads.values()]))
  }

  async quality(venue: Venue, market: string): Promise<DayQuality[]> {
    const days = [...(this.#state.quality.get(nameOf(venue, market)) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    return structuredClone(days.map(([date, hours]) => ({ date, hours })))
  }

  async removeQuality(source: string, venue: Venue, market: string, dates: string[]): Promise<void> {
    this.#state.provenanceStamp++
    for (const date of dates) this.#forget(nameOf(venue, market), date, source)
  }

  async removeLoads(source: string): Promise<number> {
    this.#state.provenanceStamp++
    for (const [name, days] of this.#state.quality) for (const date of days.keys()) this.#forget(name, date, source)
    const loads = [...this.#state.loads].filter(([, load]) => load.source === source)
    for (const [name] of loads) this.#state.loads.delete(name)
    return loads.length
  }

  #forget(name: string, date: string, source: string): void {
    const days = this.#state.quality.get(name)
    const left = (days?.get(date) ?? []).filter((each) => each.source !== source)
    if (left.length > 0) days!.set(date, left)
    else days?.delete(date)
  }
}
