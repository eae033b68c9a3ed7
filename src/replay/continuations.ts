// Where replays were that a gap has disconnected: a client that connects again within a minute goes on there, as it
// would at the venue.

import type { Beginning } from './market-records.ts'

const KEPT_MS = 60_000

export type Left = {
  /** By venue and market. */
  markets: ReadonlyMap<string, Beginning>
  /** The replay's present moment. */
  presentMs: number
  /** When the replay was at which moment; null where it has no clock. */
  anchor: { nowMs: number; replayMs: number } | null
}

export const marketKey = ({ venue, market }: { venue: string; market: string }) => `${venue} ${market}`

export class Continuations {
  readonly #nowMs: () => number
  readonly #left = new Map<string, Left & { untilMs: number }>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** `client` is a key or an address, `target` the path and query that it asked for. */
  leave(client: string, target: string, left: Left): void {
    this.#forget()
    this.#left.set(nameOf(client, target), { ...left, untilMs: this.#nowMs() + KEPT_MS })
  }

  /** Once. */
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
