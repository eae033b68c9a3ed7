// A venue that sends messages to its subscribers for a while, and a record of what it sent. Its sockets break, fall
// silent, or are refused.

import type { OpenSocket } from '../../../src/record/connection/web-socket.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import type { Command, Venue } from '../../support/venues/kalshi-peer.ts'
import type { Process, World } from '../world.ts'
import { Wire } from './wire.ts'

/** A message. Its number is its index in the list of sent messages. */
export type SentMessage = { market: string; atMs: number }

const SENDING_MS = 50_000
const PAUSE_MS = 900
const SIZE_MAX = 1_000

export class SendingVenue implements Venue {
  readonly sent: SentMessage[] = []
  readonly markets: readonly string[]
  readonly marketLimit = 100
  readonly isLifecycleKnown = true
  readonly #world: World
  readonly #random: Random
  readonly #wires = new Set<Wire>()
  readonly #books = new Map<string, Map<number, number>>()
  /** Shares of messages after which a socket breaks or falls silent, and of sockets that are refused. */
  readonly #faults: { breaks: number; freezes: number; refusals: number }
  readonly #untilMs: number
  #hasNoFaults = false

  constructor(world: World, random: Random) {
    this.#world = world
    this.#random = random
    this.markets = Array.from({ length: random.between(1, 3) }, (_, index) => `KXREC-${index}`)
    for (const market of this.markets) this.#books.set(market, new Map([[10, 500]]))
    const share = (most: number) => (random.chance(0.5) ? 0 : most * random.fraction())
    this.#faults = { breaks: share(0.04), freezes: share(0.01), refusals: share(0.4) }
    this.#untilMs = world.nowMs + SENDING_MS
    world.after(this.#random.burst(PAUSE_MS), () => this.#sendNext())
  }

  get isOver(): boolean {
    return this.#world.nowMs >= this.#untilMs
  }

  /** Ends all faults of the sockets. */
  endFaults(): void {
    this.#hasNoFaults = true
  }

  socketsOf(process: Process): OpenSocket {
    return (_handshake, _protocols, events) => {
      const wire = new Wire(this.#world, process, this.#random, this, events)
      this.#wires.add(wire)
      wire.answer(this.#hasNoFaults || !this.#random.chance(this.#faults.refusals))
      return wire
    }
  }

  sentSnapshotOf(ticker: string): Record<string, unknown> | undefined {
    const book = this.#books.get(ticker)
    if (book === undefined) return undefined
    const levels = [...book].map(([price, size]) => [priceText(price), sizeText(size)])
    return { market_ticker: ticker, yes_dollars_fp: levels, no_dollars_fp: [] }
  }

  nextError(_: Command): undefined {
    return undefined
  }

  #sendNext(): void {
    if (this.isOver) return
    this.#send(this.#random.pick(this.markets))
    this.#world.after(1 + this.#random.burst(PAUSE_MS), () => this.#sendNext())
  }

  #send(market: string): void {
    const random = this.#random
    const atMs = this.#world.nowMs
    const n = this.sent.push({ market, atMs }) - 1
    const price = random.between(1, 20)
    const size = this.#books.get(market)!.get(price) ?? 0
    const change = size > 0 && random.chance(0.4) ? -random.between(1, size) : random.between(1, SIZE_MAX)
    if (size + change > 0) this.#books.get(market)!.set(price, size + change)
    else this.#books.get(market)!.delete(price)
    const at = { ts: new Date(atMs).toISOString(), ts_ms: atMs, n }
    const delta = { market_ticker: market, price_dollars: priceText(price), delta_fp: sizeText(change), side: 'yes' }
    for (const wire of this.#wires) {
      if (!wire.isOpen) this.#wires.delete(wire)
      else {
        wire.peer.deliver({ type: 'orderbook_delta', msg: { ...delta, ...at } })
        this.#spoil(wire)
      }
    }
  }

  #spoil(wire: Wire): void {
    const random = this.#random
    const { breaks, freezes } = this.#faults
    if (random.chance(breaks)) wire.break(random.chance(0.5))
    else if (random.chance(freezes)) wire.peer.isFrozen = true
  }
}

const priceText = (cents: number): string => (cents / 100).toFixed(4)
const sizeText = (size: number): string => size.toFixed(2)
