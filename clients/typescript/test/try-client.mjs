// Tests the packed client in plain Node. The project's test/client/packages installs it beside this file.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BrokenError, Client, ProblemError } from 'backbook-client'
import { ASSET, CONDITION, client, counting, DATE, KEY, refuse, serving, TICKER, URL_OF_SERVER } from './support.mjs'

const DAY_MS = Date.parse(DATE)
const DAY = { ticker: TICKER, start_timestamp: DAY_MS, end_timestamp: DAY_MS + 86_399_999 }

test('a request is answered', async () => {
  const { data } = await client().get('/kalshi/market/orderbook-summary', {
    ticker: TICKER,
    date: DATE,
    resolution: 3600,
  })
  assert.equal(data.length, 24)
  const book = { condition_id: CONDITION, asset_id: ASSET }
  const { trust } = await client().get('/polymarket/market/book', { ...book, timestamp: DAY_MS + 43_200_000 })
  assert.equal(trust, 'established')
})

test('source limits a request to one source', async () => {
  const day = { ticker: TICKER, date: DATE }
  const { data } = await client().get('/kalshi/market/trades', day)
  assert.deepEqual((await client().get('/kalshi/market/trades', { ...day, source: 'own' })).data, data)
  const ofAnother = client().get('/kalshi/market/trades', { ...day, source: 'pmxt-v2' })
  await assert.rejects(ofAnother, (error) => error instanceof ProblemError && /source pmxt-v2/.test(error.message))
})

test('rows of all pages equal those of one page, and a stopped reader continues after its last page', async () => {
  const whole = await client().get('/kalshi/market/data', { ticker: TICKER, date: DATE, limit: 100_000 })
  const rows = []
  for await (const row of client().rows('/kalshi/market/data/range', { ...DAY, limit: 700 })) rows.push(row)
  assert.ok(rows.length > 1_400)
  assert.deepEqual(rows, whole.data)
  const kept = []
  let cursor
  for await (const page of client().pages('/kalshi/market/data/range', { ...DAY, limit: 700 })) {
    kept.push(...page.data)
    cursor = page.next_cursor
    if (kept.length > 1_000) break
  }
  for await (const row of client().rows('/kalshi/market/data/range', { ...DAY, limit: 700, cursor })) kept.push(row)
  assert.deepEqual(kept, whole.data)
})

test('an Arrow table has the values of JSON', async () => {
  const query = { ticker: TICKER, date: DATE, resolution: 3600 }
  const table = await client().arrow('/kalshi/market/orderbook-summary', query)
  const { data } = await client().get('/kalshi/market/orderbook-summary', query)
  assert.deepEqual(
    table.toArray().map(({ timestamp, best_bid, quote_count }) => [timestamp.getTime(), best_bid, Number(quote_count)]),
    data.map(({ timestamp, best_bid, quote_count }) => [timestamp, best_bid, quote_count]),
  )
})

test('other formats, parts of paths and links without a key', async () => {
  const csv = await client().read(
    '/kalshi/market/trade-summary',
    { ticker: TICKER, date: DATE, format: 'csv' },
    (answer) => answer.text(),
  )
  assert.match(csv, /^market,timestamp,open,/)
  const params = { date: DATE, market: TICKER, name: 'trades.parquet' }
  const bytes = (answer) => answer.arrayBuffer()
  const file = await client().read('/kalshi/files/:date/:market/:name', {}, bytes, { params })
  assert.equal(new TextDecoder().decode(file.slice(0, 4)), 'PAR1')
  const link = await client().ticket(`/kalshi/files/${DATE}/${TICKER}/trades.parquet`)
  assert.deepEqual(new Uint8Array(await (await fetch(link)).arrayBuffer()), new Uint8Array(file))
  await assert.rejects(client().get('/kalshi/files/:date/:market/:name', {}), /needs params.date/)
})

test('refusals have the code and the errors of the server', async () => {
  const wrong = client().get('/kalshi/market/orderbook-summary', { ticker: TICKER, date: DATE, resolution: 3601 })
  const error = await wrong.catch((given) => given)
  assert.ok(error instanceof ProblemError)
  assert.deepEqual([error.status, error.code, error.errors[0].field], [400, 'parameters_invalid', 'resolution'])
  const unknown = new Client({ url: URL_OF_SERVER, key: `${KEY}x` })
  await assert.rejects(unknown.get('/kalshi/market/list', {}), { code: 'key_unknown', status: 401 })
})

const ok = (response) => response.end('{"status":"ok"}')
async function asked(steps, options) {
  const result = {}
  await serving(
    (_, response, count) => steps[Math.min(count, steps.length - 1)](response),
    async (url, all) => {
      const { asking, waits } = counting(url, options)
      result.value = await asking.get('/health', {}).catch((error) => error)
      Object.assign(result, { waits, count: all.length })
    },
  )
  return result
}

test('waits as long as the server says after rate limits and 503', async () => {
  const busy = [
    (response) => refuse(response, 503, 'overloaded', 1),
    (response) => refuse(response, 429, 'rate_limited', 7),
  ]
  assert.deepEqual(await asked([...busy, ok]), { value: { status: 'ok' }, waits: [1_000, 7_000], count: 3 })
})

test('a quota is an error at once, and so is a limit of hours', async () => {
  for (const [code, seconds] of [
    ['quota_exceeded', 817_845],
    ['quota_exceeded', 1],
    ['rate_limited', 86_400],
  ]) {
    const { value, waits, count } = await asked([(response) => refuse(response, 429, code, seconds), ok])
    assert.deepEqual([value.code, value.retryAfterSeconds, waits, count], [code, seconds, [], 1])
  }
})

test('an incomplete answer is requested again, up to the number of tries', async () => {
  const cut = (response) => {
    response.writeHead(200, { 'content-length': 200 })
    response.write('{"status":', () => response.destroy())
  }
  assert.deepEqual(await asked([cut, ok]), { value: { status: 'ok' }, waits: [1_000], count: 2 })
  const { value, count } = await asked([cut], { tries: 3 })
  assert.ok(value instanceof BrokenError)
  assert.equal(count, 3)
})

test('a permanent refusal is not retried', async () => {
  const { value, count } = await asked([(response) => refuse(response, 404, 'market_not_stored'), ok])
  assert.deepEqual([value.message, value.requestId, count], ['market_not_stored: said so', 'r1', 1])
})

test('the key follows no redirect', async () => {
  const elsewhere = (response) => response.writeHead(302, { location: '/other' }).end()
  const { value, count } = await asked([elsewhere, ok], { tries: 1 })
  assert.ok(value instanceof BrokenError)
  assert.equal(count, 1)
})

test('a signal ends a question, also while it waits', async () => {
  await serving(
    (_, response) => refuse(response, 503, 'overloaded', 30),
    async (url) => {
      const ending = new AbortController()
      const waiting = new Client({ url, key: KEY }).get('/health', {}, { signal: ending.signal })
      ending.abort(new Error('enough'))
      await assert.rejects(waiting, /enough|abort/i)
    },
  )
})

test('invalid addresses, keys and parameters raise errors at once', async () => {
  for (const url of ['127.0.0.1:8080', 'localhost:8080', '', '/api']) {
    assert.throws(() => new Client({ url }), /url must be an address such as/)
  }
  assert.throws(() => new Client({ url: URL_OF_SERVER, key: 'bb_secret…' }), {
    name: 'TypeError',
    message: 'key has a character that no key has: was it copied whole?',
  })
  await new Client({ url: URL_OF_SERVER, key: `${KEY}\n` }).get('/kalshi/market/list', {})
  await assert.rejects(new Client({ url: URL_OF_SERVER, key: '' }).get('/kalshi/market/list', {}), {
    code: 'key_missing',
  })
  const { asking, waits } = counting(URL_OF_SERVER)
  await assert.rejects(asking.get('/kalshi/market/list', { prefix: null }), /prefix is null/)
  await assert.rejects(asking.get('/health'), TypeError)
  assert.deepEqual(waits, [])
})

test('a reader that fails by itself is not called again', async () => {
  await serving(
    (_, response) => response.end('{"status":"ok"}'),
    async (url, all) => {
      const { asking, waits } = counting(url)
      const own = new TypeError('a mistake of the caller')
      const before = () => Promise.reject(own)
      const after = (answer) => answer.text().then(before)
      const atOnce = () => {
        throw own
      }
      for (const read of [before, after, atOnce]) {
        assert.equal(await asking.read('/health', {}, read).catch((error) => error), own)
      }
      assert.deepEqual([waits, all.length], [[], 3])
    },
  )
})

test('a reader is called again if the connection breaks while it reads', async () => {
  const whole = 'a line\n'.repeat(50_000)
  await serving(
    (_, response, count) => {
      response.writeHead(200, { 'content-length': whole.length, 'x-data-count': '50000' })
      if (count > 0) response.end(whole)
      else response.write(whole.slice(0, 100_000), () => response.destroy())
    },
    async (url, all) => {
      const { asking, waits } = counting(url)
      const read = async (answer) => [answer.status, answer.headers.get('x-data-count'), await answer.text()]
      const [status, count, text] = await asking.read('/health', {}, read)
      assert.deepEqual([status, count, text === whole, waits, all.length], [200, '50000', true, [1_000], 2])
    },
  )
})
