// A replay connection in the protocol of Polymarket's market channel
// (https://docs.polymarket.com/market-data/websocket/market-channel).

import { TOO_MANY } from '../../../http/sockets/message-rate.ts'
import type { MarketRecords } from '../../market-records.ts'
import type { SessionParts } from '../../replay-protocol.ts'
import { VenueSession } from '../../venue-session.ts'
import type { AssetMarkets } from './asset-markets.ts'

export type PolymarketParts = SessionParts & { assets: Pick<AssetMarkets, 'marketsOf'> }

/** Maximum number of tokens on a connection. */
const TOKENS_MAX = 5_000
const TOO_MUCH = 1008
/** The venue's answer to a message that it does not understand. */
const INVALID = 'INVALID OPERATION'

type Command = { isSubscribe: boolean; assets: string[]; hasBooks: boolean }

export class PolymarketSession extends VenueSession {
  readonly heartbeat = null
  readonly #parts: PolymarketParts
  /** Market of each subscribed token; null if the token has no stored record. */
  readonly #subscribed = new Map<string, string | null>()

  constructor(parts: PolymarketParts) {
    super(parts)
    this.#parts = parts
  }

  message(data: string | Uint8Array): void {
    if (this.#answer(data) !== 'answered') this.socket?.close(...TOO_MANY)
  }

  /** Sends a record to a client that has subscribed to its token. Sends a record of the whole market to a client that
   *  has subscribed to either token. */
  deliver(records: MarketRecords): void {
    if (!this.#isWanted(records)) return
    this.player.send(this.stamp(records.timeMs, records.receivedMs) + records.text())
  }

  isDisconnect(records: MarketRecords): boolean {
    return this.#isWanted(records)
  }

  #isWanted({ book }: MarketRecords): boolean {
    return book === null || this.#subscribed.has(book)
  }

  #answer(data: string | Uint8Array) {
    const command = data === 'PING' ? undefined : commandIn(data)
    if (command === undefined) {
      return this.commands.answer(data, () => this.player.send(data === 'PING' ? 'PONG' : INVALID))
    }
    return this.commands.add(data, () => (command.isSubscribe ? this.#subscribe(command) : this.#unsubscribe(command)))
  }

  async #subscribe({ assets, hasBooks }: Command): Promise<void> {
    if (new Set([...this.#subscribed.keys(), ...assets]).size > TOKENS_MAX) {
      return this.socket?.close(TOO_MUCH, `a connection may subscribe to ${TOKENS_MAX} tokens`)
    }
    const markets = await this.#parts.assets.marketsOf(assets, this.#parts.window)
    if (this.socket === undefined) return
    this.player.subscribed()
    const books = assets.flatMap((asset) => {
      const market = markets.get(asset) ?? null
      this.#subscribed.set(asset, market)
      if (market === null) return []
      const { instant } = this.player.add({ venue: 'polymarket', market })
      return [{ venue: 'polymarket' as const, market, book: asset, at: instant }]
    })
    const messages = hasBooks ? (await this.#parts.askBooks(books)).filter((each) => each !== null) : []
    if (messages.length === 0) return
    const { presentMs } = this.player
    this.player.send(`${this.stamp(presentMs, presentMs)}[${messages.join(',')}]\n`)
  }

  async #unsubscribe({ assets }: Command): Promise<void> {
    for (const asset of assets) this.#subscribed.delete(asset)
    const left = new Set(this.#subscribed.values())
    for (const market of this.player.markets()) if (!left.has(market.market)) this.player.remove(market)
  }
}

/** Parses a command. Returns undefined if the message is not a command. */
function commandIn(data: string | Uint8Array): Command | undefined {
  if (typeof data !== 'string') return undefined
  let message: unknown
  try {
    message = JSON.parse(data)
  } catch {
    return undefined
  }
  const { type, operation, assets_ids: given, initial_dump: dump } = Object(message) as Record<string, unknown>
  if (!Array.isArray(given) || !given.every((asset) => typeof asset === 'string')) return undefined
  if (operation === 'unsubscribe') return { isSubscribe: false, assets: given, hasBooks: false }
  if (operation !== 'subscribe' && String(type).toLowerCase() !== 'market') return undefined
  return { isSubscribe: true, assets: [...new Set(given)], hasBooks: dump !== false }
}
