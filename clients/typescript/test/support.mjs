// Shared by the tests of the packed client: the real server's address, and fake servers that refuse or disconnect.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'backbook-client'

export const { BACKBOOK_URL: URL_OF_SERVER, BACKBOOK_KEY: KEY } = process.env
export const {
  date: DATE,
  kalshiTicker: TICKER,
  conditionId: CONDITION,
  assetIds: [ASSET],
} = JSON.parse(process.env.CLIENT_TEST_DEMO)
const INGEST = JSON.parse(process.env.CLIENT_TEST_INGEST)

export const client = () => new Client({ url: URL_OF_SERVER, key: KEY })

/** Returns a client that does not sleep, and the list of its waits in ms. */
export function counting(url, options = {}) {
  const waits = []
  const sleep = async (ms) => void waits.push(ms)
  return { asking: new Client({ url, key: KEY, sleep, ...options }), waits }
}

/** Runs a server that answers with `answer(request, response, count)`. Calls `use` with its URL and its requests. */
export async function serving(answer, use) {
  const asked = []
  const server = createServer((question, response) => {
    asked.push(question)
    answer(question, response, asked.length - 1)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${server.address().port}`, asked)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

export function refuse(response, status, code, retryAfter) {
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  response.writeHead(status, { 'content-type': 'application/problem+json', ...wait })
  response.end(JSON.stringify({ code, detail: 'said so', status, request_id: 'r1' }))
}

/** Forwards an event stream, and cuts it off in the middle of the event after `messagesMax` events. */
export function passOn(question, response, messagesMax) {
  const { authorization = '', 'last-event-id': after } = question.headers
  const headers = { authorization, ...(after === undefined ? {} : { 'last-event-id': after }) }
  const asking = request(URL_OF_SERVER + question.url, { headers }, (events) => {
    response.writeHead(events.statusCode, events.headers)
    let [rest, count] = ['', 0]
    events.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()
      for (const line of lines) {
        if (line.startsWith('data: ') && ++count > messagesMax) {
          response.write(line.slice(0, 40), () => response.socket?.destroySoon())
          asking.destroy()
          return
        }
        response.write(`${line}\n`)
      }
    })
  })
  asking.on('error', () => response.destroy())
  response.on('close', () => asking.destroy())
  asking.end()
}

const NOON_MS = 1786363200000
export const newMarket = () => `KXTS${randomUUID().slice(0, 8).toUpperCase()}-1`

/** Commits a snapshot, or one delta at each of `deltas` (ms after noon) if any are given. */
export function grow(market, ...deltas) {
  const line = (ms, type, msg) =>
    JSON.stringify({
      recv_ms: NOON_MS + ms,
      event: { type, sid: 1, seq: ms + 1, msg: { market_ticker: market, ...msg } },
    })
  const book = { yes_dollars_fp: [['0.40', '5.00']], no_dollars_fp: [['0.30', '5.00']] }
  const change = (ms) => ({ price_dollars: '0.45', delta_fp: '1.00', side: 'yes', ts_ms: NOON_MS + ms })
  const lines = deltas.map((ms) => line(ms, 'orderbook_delta', change(ms)))
  const path = join(tmpdir(), `${randomUUID()}.ndjson`)
  writeFileSync(path, `${(lines.length > 0 ? lines : [line(0, 'orderbook_snapshot', book)]).join('\n')}\n`)
  execFileSync(INGEST[0], [...INGEST.slice(1), path])
  rmSync(path)
}

/** Returns the first `count` messages, then ends the stream. */
export async function take(stream, count) {
  const messages = []
  for await (const message of stream) {
    messages.push(message)
    if (messages.length === count) break
  }
  return messages
}
