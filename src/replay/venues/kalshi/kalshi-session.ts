// A replay connection in the protocol of Kalshi's WebSocket (https://docs.kalshi.com/asyncapi.yaml).

import { TOO_MANY } from '../../../http/sockets/message-rate.ts'
import type { MarketRecords } from '../../market-records.ts'
import type { SessionParts } from '../../replay-protocol.ts'
import { VenueSession } from '../../venue-session.ts'
import { type Channel, KalshiChannels } from './kalshi-channels.ts'
import {
  ERRORS,
  type Failure,
  type KalshiCommand,
  MARKETS_MAX,
  type ReadCommand,
  readCommand,
} from './kalshi-commands.ts'

const BOOKS = 'orderbook_delta'
/** Channel and message type by kind of record. */
const CHANNEL_OF_KIND: Partial<Record<MarketRecords['kind'], { channel: string; type: string }>> = {
  snapshot: { channel: BOOKS, type: 'orderbook_snapshot' },
  delta: { channel: BOOKS, type: 'orderbook_delta' },
  trade: { channel: 'trade', type: 'trade' },
}
/** Channel by message type, for types that differ from the name of their channel. */
const CHANNEL_OF_TYPE: Readonly<Record<string, string>> = {
  orderbook_snapshot: BOOKS,
  event_lifecycle: 'market_lifecycle_v2',
}
const HEARTBEAT_MS = 10_000

type Command<Name extends KalshiCommand['cmd']> = Extract<KalshiCommand, { cmd: Name }>
type Id = ReadCommand['id']

export class KalshiSession extends VenueSession {
  readonly heartbeat = { everyMs: HEARTBEAT_MS, send: () => this.socket?.ping('heartbeat') }
  readonly #parts: SessionParts
  readonly #channels = new KalshiChannels()

  constructor(parts: SessionParts) {
    super(parts)
    this.#parts = parts
  }

  message(data: string | Uint8Array): void {
    const request = readCommand(data)
    const verdict = this.commands.add(data, () => this.#run(request))
    if (verdict === 'refused') this.#refuse(request.id, { error: 'tooMany' })
    if (verdict === 'over') this.socket?.close(...TOO_MANY)
  }

  deliver(records: MarketRecords): void {
    const text = records.isWhole ? this.#wholeText(records) : this.#partText(records)
    if (text === undefined) return
    this.player.send(this.stamp(records.timeMs, records.receivedMs) + text)
  }

  isDisconnect(): boolean {
    return true
  }

  /** Builds the message of a record. Returns undefined if no subscription includes it. */
  #partText(records: MarketRecords): string | undefined {
    const of = CHANNEL_OF_KIND[records.kind]
    const channel = of && this.#channels.wanting(of.channel, records.market)
    if (channel === undefined) return undefined
    return `{"type":"${of!.type}","sid":${channel.sid},"seq":${++channel.seq},"msg":${records.text()}}`
  }

  /** Builds the message of a record that is stored as a whole message: replaces its sid and seq, and leaves the rest
   *  as captured. Some archives have messages without sid and seq; these stay as they are. Returns undefined if no
   *  subscription includes the record. */
  #wholeText(records: MarketRecords): string | undefined {
    const text = records.text()
    const message = JSON.parse(text) as Record<string, unknown>
    const type = String(message['type'])
    const name = CHANNEL_OF_KIND[records.kind]?.channel ?? CHANNEL_OF_TYPE[type] ?? type
    const channel = this.#channels.wanting(name, records.market)
    if (channel === undefined) return undefined
    if (!('sid' in message)) return text
    message['sid'] = channel.sid
    if ('seq' in message) message['seq'] = ++channel.seq
    return JSON.stringify(message)
  }

  async #run(request: ReadCommand): Promise<void> {
    if (this.socket === undefined) return
    const { id } = request
    if ('error' in request) return this.#refuse(id, request)
    const { command } = request
    if (command.cmd === 'subscribe') return this.#subscribe(id, command)
    if (command.cmd === 'update_subscription') return this.#update(id, command)
    if (command.cmd === 'unsubscribe') return this.#unsubscribe(id, command)
    const msg = this.#channels.all().map(({ name, sid }) => ({ channel: name, sid }))
    this.#reply(id, { type: 'ok', msg })
  }

  /** Subscribes to channels. A channel that is already open adds the markets to its subscription. */
  async #subscribe(id: Id, { channels, tickers, isQuiet }: Command<'subscribe'>): Promise<void> {
    if (this.#isTooMuch(tickers ?? [])) return this.#refuse(id, { error: 'marketsMax' })
    const merged: Channel[] = []
    for (const name of channels) {
      const known = this.#channels.named(name)
      if (known === undefined) {
        const { sid } = this.#channels.open(name, tickers)
        this.#reply(id, { type: 'subscribed', msg: { channel: name, sid } })
      } else {
        if (tickers === null) known.tickers = null
        for (const ticker of tickers ?? []) known.tickers?.add(ticker)
        merged.push(known)
      }
    }
    for (const channel of merged) this.#acknowledge(id, channel, isQuiet)
    await this.#begin(tickers ?? [], channels.includes(BOOKS) ? this.#channels.named(BOOKS) : undefined)
  }

  async #update(id: Id, { sid, tickers, action, isQuiet }: Command<'update_subscription'>): Promise<void> {
    const channel = this.#channels.withSid(sid)
    if (channel === undefined) return this.#refuse(id, { error: 'sidUnknown', sid })
    if (action === 'get_snapshot') return this.#snapshots(id, channel, tickers)
    if (action === 'delete_markets') {
      for (const ticker of tickers) channel.tickers?.delete(ticker)
      this.#leave()
      return this.#acknowledge(id, channel, isQuiet)
    }
    if (this.#isTooMuch(tickers)) return this.#refuse(id, { error: 'marketsMax', sid })
    const added = tickers.filter((ticker) => channel.tickers?.has(ticker) !== true)
    for (const ticker of added) channel.tickers?.add(ticker)
    this.#acknowledge(id, channel, isQuiet)
    await this.#begin(added, channel.name === BOOKS ? channel : undefined)
  }

  async #unsubscribe(id: Id, { sids }: Command<'unsubscribe'>): Promise<void> {
    for (const sid of sids) {
      const channel = this.#channels.withSid(sid)
      if (channel === undefined) {
        this.#refuse(id, { error: 'sidUnknown', sid })
        continue
      }
      this.#channels.close(channel)
      this.#reply(id, { sid, seq: ++channel.seq, type: 'unsubscribed' })
    }
    this.#leave()
  }

  async #snapshots(id: Id, channel: Channel, tickers: string[]): Promise<void> {
    const known = channel.name === BOOKS ? tickers.filter((ticker) => channel.tickers?.has(ticker)) : []
    const books = await this.#booksOf(known)
    for (const ticker of tickers) {
      const book = books.get(ticker)
      if (book === undefined) this.#refuse(id, { error: 'bookUnknown', sid: channel.sid })
      else this.#sendBook(channel, book, id)
    }
  }

  /** Starts to play markets. Sends their books first, if `books` is given. */
  async #begin(tickers: readonly string[], books: Channel | undefined): Promise<void> {
    for (const market of tickers) this.player.add({ venue: 'kalshi', market })
    if (books === undefined) return
    for (const book of (await this.#booksOf(tickers)).values()) this.#sendBook(books, book)
  }

  /** Returns the current books by ticker, without those that are not known. */
  async #booksOf(tickers: readonly string[]): Promise<Map<string, string>> {
    const requests = tickers.flatMap((market) => {
      const records = this.player.records({ venue: 'kalshi', market })
      return records === undefined ? [] : [{ venue: 'kalshi' as const, market, book: market, at: records.instant }]
    })
    const books = await this.#parts.askBooks(requests)
    return new Map(requests.flatMap(({ market }, i) => (books[i] == null ? [] : [[market, books[i]] as const])))
  }

  #sendBook(channel: Channel, msg: string, id?: number): void {
    const { presentMs } = this.player
    const idField = id === undefined ? '' : `"id":${id},`
    const text = `{${idField}"type":"orderbook_snapshot","sid":${channel.sid},"seq":${++channel.seq},"msg":${msg}}`
    this.player.send(this.stamp(presentMs, presentMs) + text)
  }

  /** Stops playing the markets that no channel names any more. */
  #leave(): void {
    const wanted = this.#channels.tickers()
    for (const records of this.player.markets()) if (!wanted.has(records.market)) this.player.remove(records)
  }

  #isTooMuch(tickers: readonly string[]): boolean {
    return new Set([...this.#channels.tickers(), ...tickers]).size > MARKETS_MAX
  }

  #acknowledge(id: Id, channel: Channel, isQuiet: boolean): void {
    const msg = isQuiet ? {} : { market_tickers: [...(channel.tickers ?? [])] }
    this.#reply(id, { sid: channel.sid, seq: ++channel.seq, type: 'ok', msg })
  }

  #refuse(id: Id, { error, msg, sid }: Failure): void {
    const channel = sid === undefined ? undefined : this.#channels.withSid(sid)
    const of = channel === undefined ? {} : { sid: channel.sid, seq: ++channel.seq }
    this.#reply(id, { ...of, type: 'error', msg: { ...ERRORS[error], ...(msg === undefined ? {} : { msg }) } })
  }

  #reply(id: Id, answer: object): void {
    const { presentMs } = this.player
    const text = JSON.stringify(id === undefined ? answer : { id, ...answer })
    this.player.send(this.stamp(presentMs, presentMs) + text)
  }
}
