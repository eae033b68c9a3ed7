// The feed of the made-up venue. A command names contracts. The venue sends their books, deals and states.

import type { ConnectionConfig } from '../../config/venue-config.ts'
import type { BookId, FrameStamp, Link, ProtocolSession, VenueProtocol } from '../../connection/venue-protocol.ts'
import type { Handshake } from '../../connection/web-socket.ts'

type Message = { type?: string; contract?: string; time?: number }

export const messageIn = (frame: string): Message => JSON.parse(frame) as Message

export class ToyProtocol implements VenueProtocol {
  readonly venue = 'toy'
  readonly useYesPrice = null
  readonly heartbeat = null
  readonly bookSource = null
  readonly booksMax: number
  readonly #url: string

  constructor({ wsUrl, perConnection }: Pick<ConnectionConfig, 'wsUrl' | 'perConnection'>) {
    this.#url = wsUrl
    this.booksMax = perConnection
  }

  handshake(): Handshake {
    return { url: this.#url, headers: {} }
  }

  isPlannedOutage(): boolean {
    return false
  }

  open(link: Link): ProtocolSession {
    return new ToySession(link)
  }
}

class ToySession implements ProtocolSession {
  readonly #link: Link

  constructor(link: Link) {
    this.#link = link
  }

  add(contracts: readonly BookId[]): void {
    this.#link.send(JSON.stringify({ watch: contracts }))
  }

  remove(contracts: readonly BookId[]): void {
    this.#link.send(JSON.stringify({ leave: contracts }))
  }

  read(text: string, _stamp: FrameStamp): void {
    const { type, contract, time = Number.NaN } = messageIn(text)
    if (contract === undefined) return this.#link.aside()
    this.#link.data(time)
    if (type === 'book') this.#link.snapshot(contract, { market: contract, by: 'snapshot' })
    else if (type === 'deal') this.#link.changed(contract, contract)
    else if (type !== 'status') this.#link.unknown(String(type))
  }

  /** Sends the command again: the venue answers each command with the books of its contracts. */
  snapshotsMissing(contracts: readonly BookId[]): void {
    this.add(contracts)
  }

  due(): number {
    return Number.POSITIVE_INFINITY
  }

  beginBook(): boolean {
    return false
  }

  readBook(): boolean {
    return true
  }

  close(): void {}
}
