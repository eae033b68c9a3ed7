// The recorders of docs/get-data.md against servers that behave like the venues' feeds: what they write is loaded, and a
// lost connection is a gap.

import { expect, test } from 'bun:test'
import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONDITION, TICKER } from '../model/lines.ts'
import { runBackbook } from '../support/program.ts'
import { temporaryFolder } from '../support/server.ts'

const guide = await Bun.file('docs/get-data.md').text()
const scriptOf = (name: string) => new RegExp(`\`\`\`ts\\n// ${name}\\n([\\s\\S]*?)\`\`\``).exec(guide)![1]!

type Feed = { url: string; subscriptions: string[]; headers: Headers[]; second: Promise<void> }

/** Sends `frames` after each subscription, and closes the first connection then. */
async function withFeed(frames: () => string[], run: (feed: Feed) => Promise<void>): Promise<void> {
  const subscriptions: string[] = []
  const headers: Headers[] = []
  const { promise: second, resolve } = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      headers.push(request.headers)
      return self.upgrade(request) ? undefined : new Response()
    },
    websocket: {
      message(socket, text) {
        subscriptions.push(String(text))
        for (const frame of frames()) socket.send(frame)
        if (subscriptions.length === 1) socket.close()
        else resolve()
      },
    },
  })
  try {
    await run({ url: `ws://127.0.0.1:${server.port}/trade-api/ws/v2`, subscriptions, headers, second })
  } finally {
    await server.stop(true)
  }
}

/** Runs the script until it has connected twice, and loads what it wrote. */
async function record(
  folder: string,
  name: string,
  words: string[],
  { feed, lines, env }: { feed: Feed; lines: number; env: Record<string, string> },
) {
  writeFileSync(join(folder, name), scriptOf(name))
  const child = Bun.spawn([process.execPath, name, ...words], { cwd: folder, env, stderr: 'pipe' })
  await feed.second
  while (written(folder).split('\n').length <= lines) await Bun.sleep(10)
  child.kill()
  await child.exited
  const { out, err, exitCode } = await runBackbook(['ingest', '.', '--json'], { cwd: folder })
  expect([err, exitCode]).toEqual(['', 0])
  return JSON.parse(out) as { records: number; rejected: number }
}

const written = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')

async function gapsOf(folder: string, venue: string, market: string) {
  const words = ['coverage', '--venue', venue, '--market', market, '--json']
  const { dates } = JSON.parse((await runBackbook(words, { cwd: folder })).out)
  return dates.flatMap((date: { gaps: { reason: string }[] }) => date.gaps.map(({ reason }) => reason))
}

test('Polymarket', async () => {
  using folder = temporaryFolder()
  const book = () => ({
    ...{ event_type: 'book', market: CONDITION, asset_id: '7', timestamp: `${Date.now()}`, hash: '00' },
    ...{ bids: [{ price: '0.4', size: '5' }], asks: [{ price: '0.6', size: '5' }] },
  })
  const frames = () => [JSON.stringify([book()]), 'PONG']
  await withFeed(frames, async (feed) => {
    const env = { POLYMARKET_WS: feed.url }
    const report = await record(folder.path, 'record-polymarket.ts', ['7'], { feed, lines: 3, env })
    expect(JSON.parse(feed.subscriptions[0]!)).toEqual({ type: 'market', assets_ids: ['7'] })
    expect(report).toMatchObject({ records: 3, rejected: 0 })
    expect(await gapsOf(folder.path, 'polymarket', CONDITION)).toEqual(['reconnect'])
  })
}, 30_000)

test('Kalshi, with a signature that holds', async () => {
  using folder = temporaryFolder()
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(folder.path, 'kalshi.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const frames = () => {
    const levels = { yes_dollars_fp: [['0.4000', '5.00']], no_dollars_fp: [['0.5000', '5.00']] }
    const delta = { market_ticker: TICKER, price_dollars: '0.4100', delta_fp: '1.00', side: 'yes', ts_ms: Date.now() }
    return [
      JSON.stringify({ type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } }),
      JSON.stringify({ type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { market_ticker: TICKER, ...levels } }),
      JSON.stringify({ type: 'orderbook_delta', sid: 1, seq: 2, msg: delta }),
    ]
  }
  await withFeed(frames, async (feed) => {
    const env = { KALSHI_WS: feed.url, KALSHI_KEY_ID: 'key' }
    const report = await record(folder.path, 'record-kalshi.ts', [TICKER], { feed, lines: 7, env })
    expect(report).toMatchObject({ records: 5, rejected: 0 })
    const { headers } = feed
    const [time, signature] = ['timestamp', 'signature'].map((name) => headers[0]!.get(`kalshi-access-${name}`)!)
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    const text = Buffer.from(`${time}GET/trade-api/ws/v2`)
    expect(verify('sha256', text, { key: publicKey, ...padding }, Buffer.from(signature!, 'base64'))).toBe(true)
    expect(await gapsOf(folder.path, 'kalshi', TICKER)).toEqual(['reconnect'])
  })
}, 30_000)
