// What a store holds, replayed in the venue's protocol into a recorder and a new store, is the same there.

import { expect, test } from 'bun:test'
import { openStore } from '../../../storage/open-store.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { RecorderRun } from '../../support/record/recorder-run.ts'
import { serveReplay } from '../../support/replay/replay-server.ts'
import { TestStore } from '../../support/store.ts'
import { storedContents } from '../../workers/live-load/stored-contents.ts'

test.each([1, 3])('a made-up day of Polymarket over %d connections', async (connections) => {
  const date = '2026-07-20'
  const original = new TestStore()
  await original.loadLines('polymarket.ndjson', [
    ...syntheticDay({ date, kalshiRecords: 10, polymarketRecords: 6_000 }).polymarketLines,
  ])
  using server = serveReplay(original.store)
  const { markets } = await original.store.catalogue.markets('polymarket', { prefix: '', offset: 0, limit: 1_000 })
  const records = await Promise.all(markets.map((market) => original.records('polymarket', market, date)))
  const tokens = [...new Set(records.flat().map(({ asset_id: asset }) => String(asset)))]
  const run = new RecorderRun({
    polymarket: {
      ws_url: `${server.url}/replay/polymarket/ws/market?from=${date}&to=${date}&speed=0&key=bb_${'k'.repeat(43)}`,
      asset_ids: tokens,
      per_connection: Math.ceil(tokens.length / connections),
      ping_seconds: 10,
      pong_seconds: 10,
    },
    endsWithVenues: true,
    isLoaded: true,
  })
  await run.recorder.finished
  const lines = await run.stop()
  expect(lines.filter(({ backbook }) => backbook === 'segment')).toHaveLength(connections)
  const copy = new TestStore(() => openStore(run.folder))
  expect(await storedContents(copy)).toEqual(await storedContents(original))
  await copy.close()
  await original.close()
  run.remove()
})
