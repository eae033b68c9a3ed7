// Goal: the hashes of Polymarket's books are counted as the slow model counts them, however they are loaded.

import { expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { loadTexts } from '../../model/model.ts'
import { seeds } from '../../run/effort.ts'
import { type TestStore, withStore } from '../../support/store.ts'
import { HashedCapture } from './hashed-capture.ts'
import { expectSameRecords } from './model-comparison.ts'

const NOW = Date.parse('2026-11-01')
const LINES = 420

async function qualities({ store }: TestStore): Promise<{ hashesAgreed: number; hashesChecked: number }[]> {
  const { markets } = await store.catalogue.markets('polymarket', { prefix: '', offset: 0, limit: 10 })
  const days = await Promise.all(markets.map((market) => store.catalogue.heads('polymarket', market)))
  return days.flat().flatMap(({ head }) => head.books.map(({ quality }) => quality))
}

const total = (counts: { hashesAgreed: number; hashesChecked: number }[]) => ({
  agreed: counts.reduce((sum, { hashesAgreed }) => sum + hashesAgreed, 0),
  checked: counts.reduce((sum, { hashesChecked }) => sum + hashesChecked, 0),
})

test.each(seeds(0, 4, 48))('seed %d: as the model counts', async (seed) => {
  const lines = new HashedCapture(seed).lines(LINES)
  await withStore(async (store) => {
    await store.loadLines('capture', lines)
    await expectSameRecords(store, loadTexts([lines.join('\n')], NOW))
  })
})

test.each(seeds(1, 4, 16))('many small pieces are one load, seed %d', async (seed) => {
  const lines = new HashedCapture(seed + 100).lines(LINES)
  const random = new Random(seed, 'pieces')
  await withStore((whole) =>
    withStore(async (pieces) => {
      await whole.loadLines('whole', lines)
      for (let from = 0; from < lines.length; ) {
        const to = from + random.between(1, 40)
        await pieces.loadLines(`piece-${from}`, lines.slice(from, to))
        from = to
      }
      expect(await qualities(pieces)).toEqual(await qualities(whole))
      expect((await verifyStore(pieces.store)).damage).toEqual([])
    }),
  )
})

test.each([31, 32, 33, 34])('a later half that is loaded first, seed %d: as the model counts', async (seed) => {
  const lines = new HashedCapture(seed).lines(LINES)
  const halves = [lines.slice(LINES / 2), lines.slice(0, LINES / 2 + 40)]
  await withStore(async (store) => {
    for (const [index, half] of halves.entries()) await store.loadLines(`half-${index}`, half)
    await expectSameRecords(
      store,
      loadTexts(
        halves.map((half) => half.join('\n')),
        NOW,
      ),
    )
  })
})

test('the random captures have hashes that agree, hashes that do not, and none that can be checked', async () => {
  const totals: { agreed: number; checked: number }[] = []
  for (let seed = 0; seed < 12; seed++) {
    await withStore(async (store) => {
      await store.loadLines('capture', new HashedCapture(seed).lines(LINES))
      totals.push(total(await qualities(store)))
    })
  }
  expect(totals.filter(({ agreed }) => agreed > 20).length).toBeGreaterThan(3)
  expect(totals.filter(({ agreed, checked }) => agreed > 0 && checked > agreed).length).toBeGreaterThan(3)
  expect(totals).toContainEqual({ agreed: 0, checked: 0 })
})
