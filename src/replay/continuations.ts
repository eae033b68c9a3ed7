// Remembers the place of replays that were disconnected by a gap. A client that reconnects within a minute continues
// there, as it would at the venue.

import type { Beginning } from './market-records.ts'

const RETENTION_MS = 60_000

/** The place of a disconnected replay. */
export type Left = {
  /** By venue and market. */
  markets: ReadonlyMap<string, Beginning>
  /** The current time of the replay, Unix ms. */
  presentMs: number
  /** A time of the timers, and the replay's time at that moment; null if the replay has no clock. */
  anchor: { nowMs: number; replayMs: number } | null
}

export const marketKey = ({ venue, market }: { venue: string; market: string }) => `${venue} ${market}`

export class Continuations {
  readonly #nowMs: () => number
  readonly #left = new Map<string, Left & { untilMs: number }>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Stores a place. `client` is a key or an address, `target` the requested path and query. */
  leave(client: string, target: string, left: Left): void {
    this.#forget()
    this.#left.set(nameOf(client, target), { ...left, untilMs: this.#nowMs() + RETENTION_MS })
  }

  /** Removes and returns a place; null if there is none. */
  take(client: string, target: string): Left | null {
    this.#forget()
    const name = nameOf(client, target)
    const left = this.#left.get(name)
    this.#left.delete(name)
    return left ?? null
  }

  #forget(): void {
    for (const [name, { untilMs }] of this.#left) if (untilMs < this.#nowMs()) this.#left.delete(name)
  }
}

const nameOf = (client: string, target: string) => JSON.stringify([client, target])
