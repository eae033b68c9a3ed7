// Polymarket recorded from a server that speaks as it does, and misbehaves as it does.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eventually, messagesIn, RecorderRun, type RunOptions } from '../../../support/record/recorder-run.ts'
import { TestStore } from '../../../support/store.ts'
import { PolymarketServer } from '../../../support/venues/polymarket-server.ts'

const MARKET = `0x${'1'.repeat(64)}`
const TOKENS = ['111', '222'] as const
const [A] = TOKENS

let server: PolymarketServer
let run: RecorderRun | undefined

beforeEach(async () => {
  server = await new PolymarketServer().start()
  server.addMarket(MARKET, TOKENS)
})

afterEach(async () => {
  await run?.stop()
  run?.remove()
  run = undefined
  await server.stop()
})

function record(settings: Record<string, unknown> = {}, options: RunOptions = {}): RecorderRun {
  const urls = { ws_url: server.wsUrl, clob_url: server.clobUrl, audits_per_second: 0 }
  run = new RecorderRun({ polymarket: { ...urls, asset_ids: [...TOKENS], ...settings }, ...options })
  return run
}

const subscribed = (count = 1) =>
  eventually(
    'a subscription',
    () => server.peers.length > 0 && server.opened >= count && server.peers.at(-1)!.tokens.size === 2,
  )

test('a market from its first book into a store', async () => {
  const { figures } = record()
  await subscribed()
  server.change(A, 'BUY', 490, 1_500)
  server.trade(A, 490, 100, 'SELL')
  server.change(A, 'BUY', 490, 0)
  await eventually('four frames', () => figures.venues.polymarket.frames === 4)
  const lines = await run!.stop()
  expect(messagesIn(lines)).toEqual(server.delivered)
  expect(lines[0]).toMatchObject({ backbook: 'segment', venue: 'polymarket', recorder: 'test', clock: 'machine' })
  expect(lines.at(-1)).toMatchObject({ backbook: 'footer' })
  const commands = lines.flatMap((line) => (line['backbook'] === 'command' ? [JSON.parse(String(line['text']))] : []))
  expect(commands).toEqual([
    { type: 'market', assets_ids: [...TOKENS], initial_dump: true, level: 2, custom_feature_enabled: false },
  ])
  const store = new TestStore()
  const [report] = await store.load(...run!.paths())
  expect(report).toMatchObject({ records: 7, recordsAdded: 7, rejected: 0, error: null })
  await store.close()
})
