// Runs pmxt-core's socket for Kalshi on a replay: `run-pmxt-kalshi.ts URL TICKER…`. Prints each book and trade that
// the socket emits, one JSON value per line.

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const [wsUrl, ...tickers] = process.argv.slice(2) as [string, ...string[]]

type Watched = { resolve(value: unknown): void; reject(error: Error): void }
type Client = {
  watchOrderBooks(tickers: string[]): Promise<unknown>
  subscribedTradeTickers: Set<string>
  tradeResolvers: Map<string, Watched[]>
  handleTrade(data: { market_ticker: string }): void
  resolveOrderBook(ticker: string, book: unknown): void
  scheduleReconnect(): void
}

const require = createRequire(fileURLToPath(new URL('clients/package.json', import.meta.url)))
const { KalshiWebSocket } = require('pmxt-core/dist/exchanges/kalshi/websocket.js') as {
  KalshiWebSocket: new (auth: object, config: object) => Client
}
const print = (kind: string, value: unknown) => process.stdout.write(`${JSON.stringify({ kind, value })}\n`)
console.log = () => undefined
console.error = (...words: unknown[]) => print('error', words.map(String).join(' '))

// Sends no signature: a replay does not check it, and signing needs axios.
const client = new KalshiWebSocket({ getHeaders: () => ({}) }, { wsUrl })

// Prints every book and trade here, because a watcher gets only the next one.
const { resolveOrderBook, handleTrade } = client
client.resolveOrderBook = (ticker, book) => {
  print('book', { ticker, book })
  resolveOrderBook.call(client, ticker, book)
}
client.handleTrade = (data) => {
  client.tradeResolvers.set(data.market_ticker, [
    { resolve: ([trade]: [unknown]) => print('trade', trade), reject: (error) => print('error', error.message) },
  ])
  handleTrade.call(client, data)
}
client.scheduleReconnect = () => process.exit()
for (const ticker of tickers) client.subscribedTradeTickers.add(ticker)
client.watchOrderBooks(tickers).catch((error: Error) => print('error', error.message))
