// Tests what a replay refuses before the handshake: each wrong parameter, and markets that it cannot play.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { snapshot, T0 } from '../test/support/replay/kalshi-lines.ts'
import { type ReplayServer, serveReplay } from '../test/support/replay/replay-server.ts'
import { AUTHORIZED, SECRET } from '../test/support/server.ts'
import { TestStore } from '../test/support/store.ts'
import { moment } from './http/parameters/moment.ts'

const TICKER = 'KXA-26AUG10'
const CONDITION = `0x${'cd'.repeat(32)}`
const HANDSHAKE = {
  ...{ upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '13' },
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const WINDOW = 'from=2026-08-10&to=2026-08-11'
const PATHS = ['/replay/kalshi/trade-api/ws/v2', '/replay/polymarket/ws/market', '/replay', '/api/v1/replay']

let store: TestStore
let server: ReplayServer
beforeAll(async () => {
  store = new TestStore()
  await store.loadLines('a.ndjson', [snapshot(TICKER, T0, [], [])])
  server = serveReplay(store.store)
})
afterAll(async () => {
  server[Symbol.dispose]()
  await store.close()
})

async function refusal(path: string): Promise<[status: number, code: string, detail: string]> {
  const response = await fetch(`${server.url.replace('ws', 'http')}${path}`, {
    headers: { ...HANDSHAKE, ...AUTHORIZED },
  })
  const { code, detail } = (await response.json()) as { code: string; detail: string }
  return [response.status, code, detail]
}

const MOMENT = moment('').accepts

test.each(PATHS.flatMap((path) => WRONG_WINDOWS().map(([query, detail]) => [path, query, detail] as const)))(
  '%s?%s',
  async (path, query, detail) => {
    const markets = path.endsWith('/replay') ? `&markets=kalshi:${TICKER}` : ''
    const parameters = query === '' ? markets.slice(1) : query + markets
    expect(await refusal(`${path}?${parameters}`)).toEqual([400, 'parameters_invalid', detail])
  },
)

function WRONG_WINDOWS(): [query: string, detail: string][] {
  return [
    ['', `from is required and must be ${MOMENT}`],
    ['from=2026-08-10', `to is required and must be ${MOMENT}`],
    ['from=yesterday&to=2026-08-11', `from must be ${MOMENT}, got "yesterday"`],
    ['from=2026-08-10&to=2026-08-32', `to must be ${MOMENT}, got "2026-08-32"`],
    ['from=2026-08-11&to=2026-08-10', 'to must be after from, got "2026-08-10" with from "2026-08-11"'],
    [`from=${T0}&to=${T0}`, `to must be after from, got "${T0}" with from "${T0}"`],
    [`${WINDOW}&speed=fast`, 'speed must be a number from 0 to 10000, with up to three decimals, got "fast"'],
    [`${WINDOW}&speed=10001`, 'speed must be a number from 0 to 10000, with up to three decimals, got "10001"'],
    [`${WINDOW}&speed=-1`, 'speed must be a number from 0 to 10000, with up to three decimals, got "-1"'],
    [`${WINDOW}&speed=1e3`, 'speed must be a number from 0 to 10000, with up to three decimals, got "1e3"'],
    [`${WINDOW}&speed=1&speed=2`, 'speed must be given only once'],
  ]
}

test.each([
  ['', 400, 'markets is required unless event is given'],
  [
    'markets=KXA',
    400,
    'markets must be 1 to 200 markets with commas between, each kalshi:TICKER or polymarket:CONDITION',
  ],
  [`markets=kalshi:${TICKER},kalshi:${TICKER.toLowerCase()}`, 400, 'markets must name each once'],
  [`markets=kalshi:${TICKER}&event=kalshi:KXA`, 400, 'event cannot be combined with markets'],
  ['event=KXA', 400, 'event must be kalshi:TICKER or polymarket:SLUG, got "KXA"'],
  [`markets=kalshi:${TICKER},polymarket:${CONDITION}`, 404, `Nothing is stored of the polymarket market`],
  ['event=polymarket:no-such-event', 404, 'The loaded metadata has no market of the polymarket event'],
  [`markets=kalshi:${TICKER}&ticker=${TICKER}`, 400, 'ticker is not a parameter'],
])('/replay?%s', async (query, status, detail) => {
  const [got, , words] = await refusal(`/replay?${WINDOW}&${query}`)
  expect(got).toBe(status)
  expect(words).toStartWith(detail)
})

test.each(PATHS)('%s: without a key, and with one that is wrong', async (path) => {
  const url = `${server.url.replace('ws', 'http')}${path}?${WINDOW}`
  const missing = await fetch(url, { headers: HANDSHAKE })
  expect([missing.status, ((await missing.json()) as { code: string }).code]).toEqual([401, 'key_missing'])
  const plain = await fetch(`${url}&key=${SECRET}`)
  expect(plain.status).toBe(path.endsWith('/replay') ? 400 : 426)
})
