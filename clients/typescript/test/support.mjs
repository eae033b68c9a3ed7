// What the tests of the packed file share: the server that they ask, and servers that refuse or break off as told.

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

/** A client that does not sleep, but keeps how long it would have. */
export function counting(url, options = {}) {
  const waits = []
  const sleep = async (ms) => void waits.push(ms)
  return { asking: new Client({ url, key: KEY, sleep, ...options }), waits }
}

/** Calls `use` with the address of a server that answers by `answer(request, response, count)`. */
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

/** Passes an event stream on, and cuts it off in the middle of the event behind so many. */
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

/** Commits a snapshot, or where it is there deltas at so many ms, one after the other. */
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

/** The first so many messages; the stream is left then. */
export async function take(stream, count) {
  const messages = []
  for await (const message of stream) {
    messages.push(message)
    if (messages.length === count) break
  }
  return messages
}
