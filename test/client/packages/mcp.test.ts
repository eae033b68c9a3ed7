// long: starts a server and several programs
// Runs `backbook mcp` with the official client of the protocol against a real server. test/src/build runs the command
// from the single binary.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { temporaryFolder } from '../../support/server.ts'
import { SMALL_DEMO, type SmallDemo, serveSmallDemo } from './small-demo.ts'

const PROJECT = join(import.meta.dir, '../../..')
const MAIN = join(PROJECT, 'src/main.ts')
const { kalshiTicker: TICKER, conditionId: CONDITION, assetIds, date: DATE } = SMALL_DEMO
const DAY = { venue: 'kalshi', market: TICKER, date: DATE }
const NOON = `${DATE}T12:00:00Z`

let demo: SmallDemo
let client: Client
const folder = temporaryFolder()

async function connected(command: string[], env: Record<string, string> = demo.env): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' })
  const { PATH = '', BACKBOOK_URL = '', BACKBOOK_KEY = '' } = env
  const [program, ...words] = command
  const parts = { command: program!, args: words, env: { PATH, BACKBOOK_URL, BACKBOOK_KEY }, cwd: folder.path }
  await made.connect(new StdioClientTransport(parts))
  return made
}

beforeAll(async () => {
  demo = await serveSmallDemo()
  client = await connected([process.execPath, MAIN, 'mcp'])
}, 120_000)
afterAll(async () => {
  await client.close()
  await demo[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

type Called = { isError?: boolean; content: { type: string; text: string }[] }

async function call(name: string, given: Record<string, unknown>, of = client): Promise<string> {
  const { isError, content } = (await of.callTool({ name, arguments: given })) as Called
  expect([content.length, content[0]!.type]).toEqual([1, 'text'])
  return `${isError ? 'error: ' : ''}${content[0]!.text}`
}
const json = (text: string) => JSON.parse(text.slice(text.search(/^[[{]/m)))
async function api(path: string) {
  return (await (await demo.get(`/api/v1/${path}`)).json()) as Record<string, unknown> & { data: never[] }
}

test('lists five tools, all of them read-only', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search', 'coverage', 'candles', 'book', 'trades'])
  for (const { annotations, inputSchema, description } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true })
    expect([inputSchema.type, description!.length > 80]).toEqual(['object', true])
    for (const property of Object.values(inputSchema.properties!)) expect(property).toHaveProperty('description')
  }
  expect(client.getServerVersion()!.name).toBe('backbook')
})

test('search finds ids, and says when more match', async () => {
  const [found] = json(await call('search', { q: 'springfield 80' }))
  expect(found).toMatchObject({ market: CONDITION, start_date: DATE })
  expect(found.outcomes.map((each: { asset_id: string }) => each.asset_id)).toEqual(assetIds)
  const few = await call('search', { q: 'demo', limit: 2 })
  expect(few).toStartWith('More markets match than these 2: use more words, or a higher limit.\n')
  expect(json(few)).toHaveLength(2)
})

test('coverage equals that of the API, with short books and gaps', async () => {
  const coverage = json(await call('coverage', { venue: 'kalshi', market: TICKER }))
  type Gap = { from: number; to: number }
  type Day = { first_timestamp: number; gaps: Gap[]; inferred_gaps: Gap[] }
  const { dates } = (await api(`kalshi/market/coverage?ticker=${TICKER}`)) as unknown as { dates: Day[] }
  const iso = (ms: number) => new Date(ms).toISOString()
  const shown = (gaps: Gap[]) => gaps.slice(0, 10).map((gap) => ({ ...gap, from: iso(gap.from), to: iso(gap.to) }))
  const [{ first_timestamp, gaps, inferred_gaps }] = dates as [Day]
  expect(inferred_gaps.length).toBeGreaterThan(0)
  expect(coverage.dates).toHaveLength(1)
  expect(coverage.dates[0]).toMatchObject({ date: DATE, books: 1, first_timestamp: iso(first_timestamp) })
  expect([coverage.dates[0].gaps, coverage.dates[0].inferred_gaps]).toEqual([shown(gaps), shown(inferred_gaps)])
  expect(json(await call('coverage', { venue: 'kalshi', market: TICKER, from: '2026-07-21' })).dates).toEqual([])
  expect(json(await call('coverage', { venue: 'kalshi', market: 'KXNONE' }))).toMatchObject({ has_data: false })
})

const rowsOf = (text: string) => text.split('\n').slice(2)

test('candles have the values of the API, up to a limit', async () => {
  const all = await call('candles', { ...DAY, resolution: 3600 })
  expect(all.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(
      /^Buckets of 3600 s: 24\. Inferred gaps, in which .* doubtful: 1 \(sequence_restart \S+ to \S+\)\.$/,
    ),
    'timestamp,quote_count,is_forward_filled,best_bid,best_bid_size,best_ask,best_ask_size,spread,' +
      'mid_price_open,mid_price_high,mid_price_low,mid_price_close,trust',
  ])
  const { data } = await api(`kalshi/market/orderbook-summary?ticker=${TICKER}&date=${DATE}&resolution=3600`)
  type Bucket = { timestamp: number; best_bid: number; quote_count: number; is_forward_filled: boolean }
  const expected = (data as Bucket[]).map(
    ({ timestamp, quote_count, is_forward_filled, best_bid }) =>
      `${new Date(timestamp).toISOString()},${quote_count},${is_forward_filled},${best_bid}`,
  )
  expect(rowsOf(all).map((row) => row.split(',').slice(0, 4).join())).toEqual(expected)
  const [, from, to] = /sequence_restart (\S+) to (\S+)\)/.exec(all)!.map(Date.parse)
  const isIn = ({ timestamp }: Bucket) => timestamp < to! && from! < timestamp + 3_600_000
  const trusts = (data as Bucket[]).map((bucket) => (isIn(bucket) ? 'doubtful' : 'established'))
  expect(trusts).toContain('doubtful')
  expect(rowsOf(all).map((row) => row.split(',').at(-1)!)).toEqual(trusts)
  const first = await call('candles', { ...DAY, resolution: 60, limit: 10 })
  expect(first).toStartWith('Buckets of 60 s: the first 10 of 1440. There are more. Ask for the time from the last')
  expect(rowsOf(first)).toHaveLength(10)
  // Without a requested resolution, the tool chooses one that fits the day.
  expect(await call('candles', DAY)).toStartWith('Buckets of 900 s: 96. ')
  const hour = { venue: 'polymarket', market: CONDITION, asset_id: assetIds[0], start: NOON, end: `${DATE}T12:59:59Z` }
  expect(await call('candles', hour)).toStartWith('Buckets of 60 s: 60.\n')
})

test('a book equals that of the API, cut to its best levels', async () => {
  const text = await call('book', { venue: 'kalshi', market: TICKER, at: NOON, depth: 2 })
  expect(text).toStartWith('There are more levels than these 2 of a side: ask with a higher depth.\n')
  const book = await api(`kalshi/market/book?ticker=${TICKER}&timestamp=${Date.parse(NOON)}&depth=2`)
  const { bids, asks, trust, last_trade } = book as unknown as Record<string, object> & {
    last_trade: { timestamp: number }
  }
  const traded = { ...last_trade, timestamp: new Date(last_trade.timestamp).toISOString() }
  expect(json(text)).toMatchObject({ bids, asks, trust, timestamp: `${DATE}T12:00:00.000Z`, last_trade: traded })
})

test('the next trades start where an answer ended', async () => {
  const { data } = await api(`kalshi/market/trades?ticker=${TICKER}&date=${DATE}`)
  const ids = (data as { trade_id: string }[]).map(({ trade_id }) => trade_id)
  const read: string[] = []
  let cursor: string | undefined
  do {
    const text = await call('trades', { ...DAY, limit: 150, ...(cursor === undefined ? {} : { cursor }) })
    const rows = rowsOf(text)
    expect(rows.length).toBeLessThanOrEqual(150)
    read.push(...rows.map((row) => row.split(',').at(-1)!))
    cursor = /with cursor "([^"]+)"/.exec(text)?.[1]
    expect(text.includes('There are more.')).toBe(cursor !== undefined)
  } while (cursor !== undefined)
  expect(read).toEqual(ids)
  const polymarket = { venue: 'polymarket', market: CONDITION, date: DATE, limit: 1 }
  expect((await call('trades', polymarket)).split('\n')[1]).toBe('timestamp,asset_id,price,size,side,trade_id')
})

test('a query of one source is answered from that source alone', async () => {
  const window = { ...DAY, resolution: 3600 }
  expect(await call('candles', { ...window, source: 'own' })).toBe(await call('candles', window))
  const whole = { venue: 'kalshi', market: TICKER }
  expect(json(await call('coverage', { ...whole, source: 'own' }))).toEqual(json(await call('coverage', whole)))
  expect(json(await call('coverage', { ...whole, source: 'pmxt-v2' })).dates).toEqual([])
  for (const [name, given] of [
    ['candles', window],
    ['book', { ...whole, at: NOON }],
    ['trades', DAY],
  ] as const) {
    const answer = await call(name, { ...given, source: 'pmxt-v2' })
    expect(answer).toMatch(/^error: market_not_stored: .* from the source pmxt-v2/)
  }
})

test('a refused call gets an error that helps', async () => {
  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['candles', { ...DAY, market: 'KXNONE' }, /^error: market_not_stored: /],
    ['candles', { ...DAY, venue: 'betfair' }, /^error: venue: /],
    ['candles', { ...DAY, resolution: 4000 }, /^error: resolution: .*3600, got 4000$/],
    ['candles', { venue: 'kalshi', market: TICKER }, /^error: give date, or both start and end$/],
    ['candles', { venue: 'kalshi', market: TICKER, start: 'noon', end: NOON }, /^error: start must be .*got "noon"$/],
    ['candles', { venue: 'polymarket', market: CONDITION, date: DATE }, /^error: parameters_invalid: asset_id /],
    ['candles', { ...DAY, colour: 'red' }, /^error: colour: /],
    ['trades', { ...DAY, cursor: 'AAAA' }, /^error: cursor_invalid: /],
    ['trades', { ...DAY, date: '2026-07-21' }, /^Trades: none in this time. coverage shows what is stored.$/],
    ['coverage', { venue: 'kalshi', market: TICKER, from: 'July' }, /^error: from must be a date, .* got "July"$/],
    ['coverage', { venue: 'kalshi', market: TICKER, to: '20.7.2026' }, /^error: to must be a date, YYYY-MM-DD, got /],
    [
      'coverage',
      { venue: 'kalshi', market: TICKER, from: DATE, to: '2026-07-19' },
      /^error: from must be at or before/,
    ],
    ['order', DAY, /^error: there is no tool order: search, /],
  ]
  for (const [name, given, message] of refused) expect(await call(name, given)).toMatch(message)
})

test('docs/mcp.md shows how to start the program, and its real answers', async () => {
  const text = await Bun.file(join(PROJECT, 'docs/mcp.md')).text()
  const [, settings, shown] = /```json\n([\s\S]*?)```[\s\S]*```text\n([\s\S]*?)```/.exec(text)!
  const { command, args, env } = JSON.parse(settings!).mcpServers.backbook
  expect([command, Object.keys(env)]).toEqual(['backbook', ['BACKBOOK_KEY']])
  const words = args.map((word: string) => word.replace('http://127.0.0.1:8080', demo.url))
  const other = await connected([process.execPath, MAIN, ...words])
  const given = await call('candles', { ...DAY, resolution: 60, limit: 1 }, other)
  await other.close()
  // This day has fewer messages than the demo's, so the last line has other numbers.
  const likeness = (lines: string) => lines.trim().replace(/(?<=Z,).*$/, (row) => row.replaceAll(/[\d.]+/g, '#'))
  expect(likeness(given)).toBe(likeness(shown!))
  const { tools } = await client.listTools()
  for (const { name } of tools) expect(text).toContain(`| \`${name}\` |`)
})

test('reports a wrong key and a server that does not answer', async () => {
  const main = [process.execPath, MAIN, 'mcp']
  const stranger = await connected([...main, '--url', demo.url, '--key', 'bb_wrong'])
  expect(await call('search', { q: 'demo' }, stranger)).toStartWith('error: key_unknown: ')
  await stranger.close()
  const away = await connected([...main, '--url', 'http://127.0.0.1:9'])
  expect(await call('search', { q: 'demo' }, away)).toStartWith('error: the server does not answer: ')
  await away.close()
})

test('an incomplete answer is an error, and none of it is shown', async () => {
  const names = 'timestamp,price\n'
  const bodies = ['{"data":[{"venue":"kal', `${names}1784505600000,0.5\n17845056000`]
  using server = Bun.serve({ port: 0, fetch: () => new Response(bodies.shift()!) })
  const cut = await connected([process.execPath, MAIN, 'mcp', '--url', server.url.origin])
  const message = "error: the server's answer was cut off: try again"
  expect(await call('search', { q: 'demo' }, cut)).toBe(message)
  expect(await call('trades', DAY, cut)).toBe(message)
  await cut.close()
})

test('an invalid address ends the program at once', () => {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, MAIN, 'mcp', '--url', 'example'], { stderr: 'pipe' })
  const message = 'backbook: --url must be the http or https address of a server, got "example"\n'
  expect([exitCode, stderr.toString()]).toEqual([2, message])
})

test('answers open requests when the input ends', async () => {
  const child = Bun.spawn([process.execPath, MAIN, 'mcp'], { env: demo.env, stdin: 'pipe', stdout: 'pipe' })
  const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const called = (id: number) => ({ id, method: 'tools/call', params: { name: 'candles', arguments: DAY } })
  const messages = [
    { id: 1, method: 'initialize', params: info },
    { method: 'notifications/initialized' },
    ...[2, 3].map(called),
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
  child.stdin.write(messages.map((line) => `${line}\n`).join(''))
  child.stdin.end()
  const [out, exitCode] = await Promise.all([child.stdout.text(), child.exited])
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(exitCode).toBe(0)
  const results = new Map(answers.map(({ id, result }) => [id, result]))
  expect([...results.keys()].toSorted()).toEqual([1, 2, 3])
  expect(results.get(3).content[0].text).toStartWith('Buckets of 900 s: 96. ')
})

test('the program ends when its input ends', async () => {
  const child = Bun.spawn([process.execPath, MAIN, 'mcp'], {
    env: demo.env,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  child.stdin.end()
  expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([0, '', ''])
})
