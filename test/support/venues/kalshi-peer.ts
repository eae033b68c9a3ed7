// One connection to the Kalshi test server: its subscriptions, their numbers, and what is sent over it.

import { constants, type KeyObject, verify } from 'node:crypto'
import type { RawSocket, Upgrade } from './socket-server.ts'

export type Message = { type: string; msg: Record<string, unknown> }

/** The parts of the server that a peer needs. */
export type Venue = {
  /** Returns the `msg` of a snapshot; undefined if the server never sends one. */
  sentSnapshotOf(ticker: string): Record<string, unknown> | undefined
  /** Maximum number of markets in a subscription. */
  marketLimit: number
  /** Returns the error code for this command only; undefined accepts the command. */
  nextError(command: Command): number | undefined
  isLifecycleKnown: boolean
}

export type Command = {
  id: number
  cmd: string
  params: {
    channels?: string[]
    sids?: number[]
    market_tickers?: string[]
    action?: string
    use_yes_price?: boolean
  }
}

type Subscription = { channel: string; sid: number; seq: number; tickers: Set<string> }

export class KalshiPeer {
  readonly socket: RawSocket
  readonly upgrade: Upgrade
  readonly commands: Command[] = []
  /** Whether commands are answered. */
  answers = true
  /** Whether the peer sends nothing at all. Messages are lost meanwhile. */
  isFrozen = false
  readonly #venue: Venue
  readonly #subscriptions = new Map<string, Subscription>()
  #lastSid = 0
  #lastText = ''

  constructor(socket: RawSocket, upgrade: Upgrade, venue: Venue) {
    this.socket = socket
    this.upgrade = upgrade
    this.#venue = venue
  }

  subscription(channel: string): Subscription | undefined {
    return this.#subscriptions.get(channel)
  }

  /** Returns the tickers of the subscribed books. */
  get tickers(): string[] {
    return [...(this.#subscriptions.get('orderbook_delta')?.tickers ?? [])]
  }

  /** Sends a message of a market if it is subscribed. Returns true if the message was written to the socket. */
  deliver(message: Message): boolean {
    const channel = message.type.startsWith('orderbook') ? 'orderbook_delta' : message.type
    const subscription = this.#subscriptions.get(channel)
    if (subscription === undefined) return false
    const ticker = String(message.msg['market_ticker'])
    if (channel !== 'market_lifecycle_v2' && !subscription.tickers.has(ticker)) return false
    return this.#numbered(subscription, message)
  }

  /** Skips numbers of a channel, as if that many messages had been lost. */
  skip(channel: string, count: number): void {
    const subscription = this.#subscriptions.get(channel)
    if (subscription !== undefined) subscription.seq += count
  }

  error(code: number, fields: { id?: number; sid?: number } = {}): void {
    this.say({ type: 'error', ...fields, msg: { code, msg: `code ${code}` } })
  }

  /** Ends a subscription as the venue does when its buffer overflows. */
  endSubscription(channel: string, code: number): void {
    const subscription = this.#subscriptions.get(channel)
    if (subscription === undefined) return
    this.#subscriptions.delete(channel)
    this.error(code, { sid: subscription.sid })
  }

  /** Sends the last message again, and returns its text. */
  repeat(): string {
    this.socket.text(this.#lastText)
    return this.#lastText
  }

  /** Sends any message, with a newline at its end like the venue. */
  say(message: object): boolean {
    if (this.isFrozen || !this.socket.isOpen) return false
    this.#lastText = `${JSON.stringify(message)}\n`
    this.socket.text(this.#lastText)
    return true
  }

  command(text: string): void {
    const command = JSON.parse(text) as Command
    this.commands.push(command)
    if (!this.answers) return
    const code = this.#venue.nextError(command)
    if (code !== undefined) return this.error(code, { id: command.id })
    if (command.cmd === 'subscribe') this.#subscribe(command)
    else if (command.cmd === 'update_subscription') this.#update(command)
    else this.error(5, { id: command.id })
  }

  #subscribe({ id, params: { channels = [], market_tickers: tickers = [] } }: Command): void {
    for (const channel of channels) {
      const open = this.#subscriptions.get(channel)
      const isLifecycle = channel === 'market_lifecycle_v2'
      if (!['orderbook_delta', 'trade'].includes(channel) && !(isLifecycle && this.#venue.isLifecycleKnown)) {
        this.error(8, { id })
      } else if (!isLifecycle && tickers.length === 0) {
        this.error(14, { id })
      } else if ((open?.tickers.size ?? 0) + tickers.length > this.#venue.marketLimit) {
        this.error(26, { id })
      } else if (open !== undefined) {
        this.#add(open, tickers)
        this.#ok(open, id)
      } else {
        const subscription = { channel, sid: ++this.#lastSid, seq: 0, tickers: new Set<string>() }
        this.#subscriptions.set(channel, subscription)
        this.say({ type: 'subscribed', id, msg: { channel, sid: subscription.sid } })
        this.#add(subscription, tickers)
      }
    }
  }

  #update({ id, params: { sids = [], market_tickers: tickers = [], action } }: Command): void {
    const subscription = [...this.#subscriptions.values()].find(({ sid }) => sid === sids[0])
    if (sids.length !== 1) return this.error(12, { id })
    if (subscription === undefined) return this.error(7, { id })
    if (action === 'get_snapshot') return this.#snapshots(subscription, tickers, id)
    if (action === 'delete_markets') for (const ticker of tickers) subscription.tickers.delete(ticker)
    else if (action !== 'add_markets') return this.error(13, { id })
    else if (subscription.tickers.size + tickers.length > this.#venue.marketLimit) return this.error(26, { id })
    else this.#add(subscription, tickers)
    this.#ok(subscription, id)
  }

  #add(subscription: Subscription, tickers: string[]): void {
    for (const ticker of tickers) subscription.tickers.add(ticker)
    if (subscription.channel === 'orderbook_delta') this.#snapshots(subscription, tickers)
  }

  #snapshots(subscription: Subscription, tickers: string[], id?: number): void {
    for (const ticker of tickers) {
      const msg = this.#venue.sentSnapshotOf(ticker)
      if (msg !== undefined) this.#numbered(subscription, { type: 'orderbook_snapshot', msg }, id)
    }
  }

  #ok(subscription: Subscription, id: number): void {
    this.#numbered(subscription, { type: 'ok', msg: { market_tickers: [...subscription.tickers] } }, id)
  }

  #numbered(subscription: Subscription, { type, msg }: Message, id?: number): boolean {
    const seq = ++subscription.seq
    return this.say({ type, ...(id === undefined ? {} : { id }), sid: subscription.sid, seq, msg })
  }
}

/** Returns whether the headers hold a signature by this key over the path of the request. */
export function isSigned({ headers, path }: Pick<Upgrade, 'headers' | 'path'>, key: KeyObject): boolean {
  const timestamp = headers['kalshi-access-timestamp'] ?? ''
  const signature = Buffer.from(headers['kalshi-access-signature'] ?? '', 'base64')
  if (headers['kalshi-access-key'] === undefined || !/^\d{13}$/.test(timestamp)) return false
  const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  return verify('sha256', Buffer.from(`${timestamp}GET${path}`), options, signature)
}
