// Simulates a venue with Kalshi's protocol at a given rate: `bun kalshi-feed.ts MARKETS PER_SECOND SECONDS`. Starts
// when all markets are subscribed, prints `done` after the last message, and leaves the connections open.

import type { ServerWebSocket } from 'bun'

const TICK_MS = 10
const [markets, perSecond, seconds] = process.argv.slice(2).map(Number) as [number, number, number]

type Peer = { seq: number; tickers: string[] }
type Socket = ServerWebSocket<Peer>
type Command = { id: number; cmd: string; params: { market_tickers?: string[]; channels?: string[]; action?: string } }

const BOOK_SID = 1
const sockets: Socket[] = []
let subscribed = 0
let said = 0

const server = Bun.serve<Peer>({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request, served) {
    return served.upgrade(request, { data: { seq: 0, tickers: [] } })
      ? undefined
      : new Response('not found', { status: 404 })
  },
  websocket: {
    open: (socket) => void sockets.push(socket),
    message: (socket, text) => take(socket, JSON.parse(String(text)) as Command),
  },
})
process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`)

function take(socket: Socket, { id, cmd, params }: Command): void {
  const { channels = [], market_tickers: tickers = [], action } = params
  if (channels.includes('market_lifecycle_v2'))
    return send(socket, { type: 'error', id, msg: { code: 8, msg: 'unknown' } })
  for (const channel of channels) {
    send(socket, { type: 'subscribed', id, msg: { channel, sid: channel === 'trade' ? 2 : BOOK_SID } })
  }
  if (cmd === 'subscribe' || action === 'add_markets') for (const ticker of tickers) addMarket(socket, ticker)
  if (action !== undefined) send(socket, { type: 'ok', id, msg: { market_tickers: tickers } })
  if (subscribed === markets) void feed()
}

function addMarket(socket: Socket, ticker: string): void {
  const { data } = socket
  if (data.tickers.includes(ticker)) return
  data.tickers.push(ticker)
  subscribed++
  const levels = (from: number) => Array.from({ length: 30 }, (_, i) => [`0.${from + i}00`, `${100 + i}.00`])
  const msg = {
    market_ticker: ticker,
    market_id: `id-${ticker}`,
    yes_dollars_fp: levels(10),
    no_dollars_fp: levels(20),
  }
  send(socket, { type: 'orderbook_snapshot', sid: BOOK_SID, seq: ++data.seq, msg })
}

function send(socket: Socket, message: object): void {
  socket.send(`${JSON.stringify(message)}\n`)
}

async function feed(): Promise<void> {
  subscribed = -1
  const startMs = performance.now()
  const count = perSecond * seconds
  while (said < count) {
    const due = Math.min(count, Math.floor(((performance.now() - startMs) / 1_000) * perSecond))
    for (; said < due; said++) sendDelta(said)
    await Bun.sleep(TICK_MS)
  }
  const ms = Math.round(performance.now() - startMs)
  process.stdout.write(`done ${JSON.stringify({ said, ms })}\n`)
}

/** Sends a delta of the next market, in turn. */
function sendDelta(n: number): void {
  const socket = sockets[n % sockets.length]!
  const { data } = socket
  const ticker = data.tickers[Math.floor(n / sockets.length) % data.tickers.length]!
  const nowMs = Date.now()
  const ts = `"ts":"${new Date(nowMs).toISOString().slice(0, -1)}${100 + (n % 900)}Z","ts_ms":${nowMs}`
  const change = `"price_dollars":"0.${10 + (n % 80)}00","delta_fp":"${1 + (n % 97)}.00","side":"${n % 2 === 0 ? 'yes' : 'no'}"`
  const msg = `{"market_ticker":"${ticker}","market_id":"id-${ticker}",${change},${ts}}`
  socket.send(`{"type":"orderbook_delta","sid":${BOOK_SID},"seq":${++data.seq},"msg":${msg}}\n`)
}
