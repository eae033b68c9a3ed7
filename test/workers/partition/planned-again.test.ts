// Plans that other writers overtake are made again: no record is lost, and no reader gets half old, half new data.

import { expect, test } from 'bun:test'
import { DataError } from '../../../storage/failures.ts'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../model/lines.ts'
import { memoryStore } from '../../support/memory-store/memory-store.ts'
import type { StoreFaults } from '../../support/memory-store/store-faults.ts'
import { type AnyStore, dateRequest, TestStore } from '../../support/store.ts'

const delta = (n: number) => kalshiDelta(n * 500, `0.${20 + (n % 30)}00`, '1.50')
const LINES = [
  kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]),
  ...Array.from({ length: 300 }, (_, n) => delta(n)),
].map((line) => JSON.stringify(line))
const PARTS = [LINES.slice(0, 200), LINES.slice(100)] as const

const recordsOf = (store: AnyStore) => store.records('kalshi', TICKER, DAY)
const summaryOf = (store: AnyStore) => store.summary(dateRequest('kalshi', TICKER, TICKER, DAY, 60))

/** Runs with a store that has faults. `faults` may change while it runs. */
async function withFaults(faults: StoreFaults, run: (store: AnyStore) => Promise<void>): Promise<void> {
  const store = new TestStore(() => memoryStore(faults))
  try {
    await run(store)
  } finally {
    await store.close()
  }
}

async function whole(): Promise<{ records: unknown[]; summary: unknown[] }> {
  const result = { records: [] as unknown[], summary: [] as unknown[] }
  await withFaults({}, async (store) => {
    await store.loadLines('whole', LINES)
    Object.assign(result, { records: await recordsOf(store), summary: await summaryOf(store) })
  })
  return result
}

test('refused commits end as one load of both parts does', async () => {
  const refusals = new Map<string, number>()
  const refuse: StoreFaults['refuse'] = ({ market }) => {
    const count = refusals.get(market) ?? 0
    refusals.set(market, count + 1)
    return count % 3 !== 2
  }
  await withFaults({ refuse }, async (store) => {
    for (const [index, lines] of PARTS.entries()) expect((await store.loadLines(`${index}`, lines)).error).toBeNull()
    expect([await recordsOf(store), await summaryOf(store)]).toEqual(Object.values(await whole()))
    expect(refusals.get(TICKER)).toBe(6)
  })
})

test('two loads that take turns at every call end as one load of both does', async () => {
  await withFaults({ before: () => Promise.resolve() }, async (store) => {
    const reports = await Promise.all(PARTS.map((lines, index) => store.loadLines(`${index}`, lines)))
    expect(reports.map(({ error }) => error)).toEqual([null, null])
    expect([await recordsOf(store), await summaryOf(store)]).toEqual(Object.values(await whole()))
  })
})

test('a reader that a commit overtakes reads again', async () => {
  const faults: StoreFaults = {}
  await withFaults(faults, async (store) => {
    await store.loadLines('first', PARTS[0])
    let overtakes = 0
    const ask = async (question: (store: AnyStore) => Promise<unknown[]>) => {
      faults.before = async (call) => {
        if (call !== 'fetch') return
        delete faults.before
        overtakes++
        await store.loadLines(`second-${overtakes}`, PARTS[1])
      }
      return question(store)
    }
    const expected = await whole()
    expect(await ask(summaryOf)).toEqual(expected.summary)
    expect(await ask(recordsOf)).toEqual(expected.records)
    expect(overtakes).toBe(2)
  })
})

test('a part that is missing from an unchanged market is damage', async () => {
  const faults: StoreFaults = {}
  await withFaults(faults, async (store) => {
    await store.loadLines('all', LINES)
    faults.isGone = ({ kind }) => kind === 'block'
    await expect(recordsOf(store)).rejects.toMatchObject({ code: 'block_corrupt' })
    faults.isGone = () => false
    expect(await recordsOf(store)).toHaveLength(LINES.length)
  })
})

test('a failing catalogue fails the question, and the load', async () => {
  const faults: StoreFaults = {}
  await withFaults(faults, async (store) => {
    await store.loadLines('first', PARTS[0])
    faults.before = () => {
      throw new DataError('store_unavailable', 'The store is away')
    }
    await expect(recordsOf(store)).rejects.toMatchObject({ code: 'store_unavailable' })
    const loading = store.loadLines('second', PARTS[1])
    await expect(loading).rejects.toMatchObject({ code: 'store_unavailable' })
    delete faults.before
    expect(await recordsOf(store)).toHaveLength(PARTS[0].length)
  })
})
