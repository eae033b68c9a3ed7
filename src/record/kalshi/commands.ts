// The commands of Kalshi's WebSocket (docs.kalshi.com/asyncapi.yaml), and their text.

export const BOOK_CHANNEL = 'orderbook_delta'
export const TRADE_CHANNEL = 'trade'
/** Takes no list of markets: it reports on all markets of the venue. */
export const LIFECYCLE_CHANNEL = 'market_lifecycle_v2'

export type Channel = typeof BOOK_CHANNEL | typeof TRADE_CHANNEL | typeof LIFECYCLE_CHANNEL

export type Command =
  | { cmd: 'subscribe'; channels: readonly Channel[]; tickers: readonly string[] }
  | { cmd: 'add_markets' | 'delete_markets' | 'get_snapshot'; sid: number; tickers: readonly string[] }

/** Whether NO levels are sent at YES prices. Recorded NO prices are NO's own. It is set explicitly, because the venue
 *  has announced that its default will change. */
export const USE_YES_PRICE = false

/** Returns the text of a command. `id` must be at least 1: the venue reads 0 as no id. */
export function commandText(id: number, command: Command): string {
  if (command.cmd === 'subscribe') {
    const { channels, tickers } = command
    const markets = tickers.length === 0 ? {} : { market_tickers: tickers, use_yes_price: USE_YES_PRICE }
    return JSON.stringify({ id, cmd: 'subscribe', params: { channels, ...markets } })
  }
  const params = { sids: [command.sid], market_tickers: command.tickers, action: command.cmd }
  return JSON.stringify({ id, cmd: 'update_subscription', params })
}
