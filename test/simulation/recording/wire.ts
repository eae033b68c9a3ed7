// A socket between a recorder and the venue: messages arrive in order, after a delay, until the socket breaks, which
// may also lose the messages in transit.

import type { OpenedSocket, SocketEnd, SocketEvents } from '../../../src/record/connection/web-socket.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import { KalshiPeer, type Venue } from '../../support/venues/kalshi-peer.ts'
import type { RawSocket, Upgrade } from '../../support/venues/socket-server.ts'
import type { Process, World } from '../world.ts'

const DELAY_MS = 20
const UPGRADE: Upgrade = { path: '/', query: new URLSearchParams(), headers: {} }

export class Wire implements OpenedSocket {
  readonly peer: KalshiPeer
  readonly #process: Process
  readonly #random: Random
  readonly #events: SocketEvents
  readonly #toRecorder: Way
  readonly #toVenue: Way
  #isOpen = false

  constructor(world: World, process: Process, random: Random, venue: Venue, events: SocketEvents) {
    this.#process = process
    this.#random = random
    this.#events = events
    this.#toRecorder = new Way(world, (delayMs, arrive) => world.timer(process, delayMs, arrive))
    this.#toVenue = new Way(world, (delayMs, arrive) => world.after(delayMs, arrive))
    this.peer = new KalshiPeer(this as unknown as RawSocket, UPGRADE, venue)
  }

  /** The venue accepts or refuses the connection. */
  answer(isTaken: boolean): void {
    this.#isOpen = isTaken
    this.#later(() => {
      if (isTaken) this.#events.opened('')
      else this.#events.ended({ code: 1006, reason: 'refused', status: 503, retryAfter: null })
    })
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#process.isAlive
  }

  /** The venue sends a message. */
  text(message: string): void {
    if (this.isOpen) this.#later(() => this.#events.text(message))
  }

  /** Breaks the socket. `isLost`: messages in transit do not arrive. */
  break(isLost: boolean): void {
    if (!this.isOpen) return
    if (isLost) this.#toRecorder.forget()
    this.#end({ code: 1006, reason: 'it broke', status: null, retryAfter: null })
  }

  send(text: string): boolean {
    if (!this.#isOpen) return false
    this.#toVenue.send(this.#random.burst(DELAY_MS), () => this.isOpen && this.peer.command(text))
    return true
  }

  ping(): void {
    const answer = () => this.isOpen && !this.peer.isFrozen && this.#later(() => this.#events.alive())
    this.#toVenue.send(this.#random.burst(DELAY_MS), answer)
  }

  close(): void {
    if (this.isOpen) this.#end({ code: 1000, reason: '', status: null, retryAfter: null })
  }

  terminate(): void {
    this.#toRecorder.forget()
    this.close()
  }

  #end(end: SocketEnd): void {
    this.#isOpen = false
    this.#later(() => this.#events.ended(end))
  }

  #later(arrive: () => void): void {
    this.#toRecorder.send(this.#random.burst(DELAY_MS), arrive)
  }
}

/** One direction of the socket. Messages arrive in the order in which they were sent. */
class Way {
  readonly #world: World
  readonly #after: (delayMs: number, arrive: () => void) => void
  #sent: (() => void)[] = []
  #lastMs = 0

  constructor(world: World, after: (delayMs: number, arrive: () => void) => void) {
    this.#world = world
    this.#after = after
  }

  send(delayMs: number, arrive: () => void): void {
    const { nowMs } = this.#world
    this.#lastMs = Math.max(this.#lastMs, nowMs + delayMs)
    this.#sent.push(arrive)
    this.#after(this.#lastMs - nowMs, () => this.#sent.shift()?.())
  }

  forget(): void {
    this.#sent = this.#sent.map(() => () => undefined)
  }
}
