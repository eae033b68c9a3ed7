// Loads random and real metadata of markets, in any order. `info` gives the same answers as the slow model.

import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { Random } from '../../workers/synthetic/random.ts'
import { loadCaptures, loadTexts, type ModelStore } from '../model/model.ts'
import { modelAsk } from '../model/questions/model-ask.ts'
import { seeds } from '../run/effort.ts'
import { capture, hasCaptures } from '../support/captures.ts'
import { type Comparison, expectSameAnswer } from '../support/compare/comparison.ts'
import { infoMarkets, metadataDocument } from '../support/compare/random-metadata.ts'
import { storeAsk } from '../support/compare/store-ask.ts'
import { type AnyStore, STORE_KINDS, withStore, withStoreOf } from '../support/store.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

/** Compares the info of each market with the model's. Returns the number of markets that have info. */
async function compareInfo(store: AnyStore, model: ModelStore, markets: typeof infoMarkets): Promise<number> {
  const comparison: Comparison = {
    ask: storeAsk(store, NOW),
    model,
    random: new Random(1, 'info'),
    nowMs: NOW,
    count: 1,
  }
  let known = 0
  for (const { venue, market } of markets) {
    const query: Record<string, string> = venue === 'kalshi' ? { ticker: market } : { condition_id: market }
    const path = `/${venue}/market/info`
    const answer = await modelAsk(model, NOW)(path, query).catch(() => undefined)
    if (answer === undefined) await expect(comparison.ask(path, query)).rejects.toThrow('market_not_stored')
    else await expectSameAnswer(comparison, path, query)
    known += answer === undefined ? 0 : 1
  }
  return known
}

describe.each(STORE_KINDS)('in a store on %s', (kind) => {
  test.each(seeds(0, 4, 40))('seed %d', async (seed) => {
    const random = new Random(seed, 'metadata')
    const parts = [1, 2].map(() => Array.from({ length: 6 }, () => JSON.stringify(metadataDocument(random))))
    const model = loadTexts(
      parts.map((lines) => lines.join('\n')),
      NOW,
    )
    await withStoreOf(kind, async (store) => {
      for (const [index, lines] of parts.entries()) {
        expect(await store.loadLines(`part-${index}`, lines)).toMatchObject({ rejected: 0 })
      }
      expect(model.rejects).toEqual([])
      expect(await compareInfo(store, model, infoMarkets)).toBeGreaterThan(2)
    })
  })
})

describe.skipIf(!hasCaptures)('real documents', () => {
  const documents = (folder: string) =>
    hasCaptures
      ? readdirSync(capture(folder))
          .filter((name) => /json/.test(name))
          .map((name) => capture(`${folder}/${name}`))
      : []
  test('of Gamma and of Kalshi', async () => {
    const files = [...documents('polymarket/gamma'), ...documents('kalshi')]
    const model = loadCaptures(files, NOW)
    const markets = [...model.metadata.markets()]
    await withStore(async (store) => {
      await store.load(...files)
      expect(await compareInfo(store, model, markets)).toBeGreaterThan(300)
    })
  })
})
