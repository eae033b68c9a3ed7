// Runs @nevuamarkets/poly-websockets with another address: `run-poly-websockets.ts URL TOKEN…`. Prints the events
// that the client emits, and its books at the end, one JSON value per line.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const [url, ...tokens] = process.argv.slice(2) as [string, ...string[]]
const VENUE = 'wss://ws-subscriptions-clob.polymarket.com/ws/market'

type Book = { bids: unknown[]; asks: unknown[] }
type Manager = {
  addSubscriptions(tokens: string[]): Promise<void>
  bookCache: { getBookEntry(token: string): Book | null; clear(): void }
}

/** Returns the client's class. The client's file contains its address, so this runs a copy of the file with another
 *  address. */
function managerOf(file: string): new (handlers: object) => Manager {
  const source = readFileSync(file, 'utf8')
  if (!source.includes(VENUE)) throw new Error(`${file} must have the address ${VENUE}`)
  const exported = {} as { WSSubscriptionManager: new (handlers: object) => Manager }
  new Function('exports', 'require', source.replace(VENUE, url))(exported, createRequire(file))
  return exported.WSSubscriptionManager
}

const print = (kind: string, value: unknown) => console.log(JSON.stringify({ kind, value }))
const each = (kind: string) => async (events: unknown[]) => {
  for (const event of events) print(kind, event)
}

const folder = 'clients/node_modules/@nevuamarkets/poly-websockets/dist/WSSubscriptionManager.js'
const WSSubscriptionManager = managerOf(fileURLToPath(new URL(folder, import.meta.url)))
const manager = new WSSubscriptionManager({
  ...{ onBook: each('book'), onPriceChange: each('price_change'), onLastTradePrice: each('last_trade_price') },
  onTickSizeChange: each('tick_size_change'),
  onError: async (error: Error) => print('error', error.message),
  async onWSClose(_: unknown, code: number) {
    for (const token of tokens) print('held', { token, book: manager.bookCache.getBookEntry(token) })
    print('closed', code)
    process.exit()
  },
})
// Prevents the client from clearing its books when the connection ends: they are read after that.
manager.bookCache.clear = () => undefined
await manager.addSubscriptions(tokens)
