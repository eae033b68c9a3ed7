// The program counts the hashes of Polymarket's books as the slow model does, however they are loaded.

import { expect, test } from 'bun:test'
import type { PartitionHead } from '../../../../storage/format/partition-head.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { verifyStore } from '../../../../workers/verify/verify-store.ts'
import { loadTexts } from '../../../model/model.ts'
import { seeds } from '../../../run/effort.ts'
import { type TestStore, withStore } from '../../../support/store.ts'
import { HashedCapture, MARKET } from '../hashed-capture.ts'
import { expectSameRecords, expectSameSummary } from '../model-comparison.ts'

const NOW = Date.parse('2026-11-01')
const LINES = 420

async function headsOf({ store }: Pick<TestStore, 'store'>): Promise<PartitionHead[]> {
  const { markets } = await store.catalogue.markets('polymarket', { prefix: '', offset: 0, limit: 10 })
  const days = await Promise.all(markets.map((market) => store.catalogue.heads('polymarket', market)))
  return days.flat().map(({ head }) => head)
}

const recordsOf = async (store: TestStore) => {
  const dates = await store.dates('polymarket', MARKET)
  return await Promise.all(dates.map((date) => store.records('polymarket', MARKET, date)))
}

const qualities = async (store: TestStore) =>
  (await headsOf(store)).flatMap(({ books }) => books.map(({ quality }) => quality))

/** Returns everything in the heads that depends on hashes. */
const evidence = async (store: TestStore) =>
  (await headsOf(store)).map(({ books, inferredGaps }) => ({
    books: books.map(({ quality, trust, provenAt }) => ({ quality, trust, provenAt })),
    gaps: inferredGaps.map((gap) => JSON.stringify(gap)).sort(),
  }))

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

const RARE = { snapshotShare: 0.003 }

test.each(seeds(0, 8, 96))('books with almost no snapshots, seed %d: as in the model', async (seed) => {
  const lines = new HashedCapture(seed + 200, RARE).lines(LINES)
  const random = new Random(seed, 'summaries')
  const model = loadTexts([lines.join('\n')], NOW)
  await withStore(async (store) => {
    await store.loadLines('capture', lines)
    const books = await expectSameRecords(store, model)
    for (let i = 0; i < 12; i++) await expectSameSummary(store, model, books, random)
    expect((await verifyStore(store.store)).damage).toEqual([])
  })
})

test('hashes prove books without snapshots, contradict books, and end doubts', async () => {
  const heads: PartitionHead[] = []
  for (let seed = 0; seed < 12; seed++) {
    await withStore(async (store) => {
      await store.loadLines('capture', new HashedCapture(seed + 200, RARE).lines(LINES))
      heads.push(...(await headsOf(store)))
    })
  }
  const gaps = heads.flatMap(({ inferredGaps }) => inferredGaps).filter(({ reason }) => reason === 'hash_contradicts')
  expect(heads.flatMap(({ books }) => books).filter(({ provenAt }) => provenAt !== undefined).length).toBeGreaterThan(4)
  expect(gaps.filter(({ toMs }) => toMs !== null).length).toBeGreaterThan(4)
})

test.each(seeds(1, 4, 16))(
  'many small pieces give what the model has, and equal one load if their records do, seed %d',
  async (seed) => {
    const lines = new HashedCapture(seed + 100, seed % 2 === 0 ? RARE : {}).lines(LINES)
    const random = new Random(seed, 'pieces')
    await withStore((whole) =>
      withStore(async (pieces) => {
        await whole.loadLines('whole', lines)
        const texts: string[] = []
        for (let from = 0; from < lines.length; ) {
          const to = from + random.between(1, 40)
          await pieces.loadLines(`piece-${from}`, lines.slice(from, to))
          texts.push(lines.slice(from, to).join('\n'))
          from = to
        }
        await expectSameRecords(pieces, loadTexts(texts, NOW))
        // A trade that is reported late takes the time of the record before it, but only in a capture that has that
        // record.
        const [one, other] = [await recordsOf(whole), await recordsOf(pieces)]
        if (Bun.deepEquals(one, other)) expect(await evidence(pieces)).toEqual(await evidence(whole))
        expect((await verifyStore(pieces.store)).damage).toEqual([])
      }),
    )
  },
)

test.each([31, 32, 33, 34])('the later half loaded first, seed %d: as the model counts', async (seed) => {
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
