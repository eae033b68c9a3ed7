// A hash of the venue that agrees establishes a book that never had a snapshot, and ends a doubt. A hash that
// contradicts makes it doubtful. This holds in every answer, loaded whole or line by line, and on the next day.

import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { Random } from '../../../workers/synthetic/random.ts'
import { TRUSTS, trustSteps } from '../../../workers/trust/trust-steps.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { book, CONDITION, NOON, priceChange } from '../../model/lines.ts'
import { loadTexts } from '../../model/model.ts'
import { type TestStore, withStore } from '../../support/store.ts'
import { expectSameRecords, expectSameSummary } from '../load/model-comparison.ts'

const NOW = Date.parse('2026-11-01')
const DAY_MS = 86_400_000
type Levels = [price: string, size: string][]

/** Returns the hash of the book by the venue's oldest recipe. Bids ascend, asks descend. */
function hashOf(ms: number, bids: Levels, asks: Levels): string {
  const printed = (levels: Levels) => JSON.stringify(levels.map(([price, size]) => ({ price, size })))
  const head = `{"market":"${CONDITION}","asset_id":"A","timestamp":"${NOON + ms}","hash":""`
  return createHash('sha1')
    .update(`${head},"bids":${printed(bids)},"asks":${printed(asks)}}`)
    .digest('hex')
}

const BID: Levels = [['0.4', '10']]
const ASK: Levels = [['0.6', '5']]
const WRONG = 'f'.repeat(40)
const bought = (ms: number, hash: string, size = '10') => priceChange(ms, { price: '0.4', size, hash })
const sold = (ms: number, hash: string) => priceChange(ms, { side: 'SELL', price: '0.6', size: '5', hash })
/** After the second change, the book is whole and its hash agrees. */
const proven = [bought(0, WRONG), sold(1_000, hashOf(1_000, BID, ASK))]

type Step = `${number}: ${(typeof TRUSTS)[number]}`

async function stepsOf({ store }: TestStore): Promise<string[]> {
  const days = await store.catalogue.heads('polymarket', CONDITION)
  return trustSteps(days, 'A').map(({ fromMs, trust }) => `${fromMs - NOON}: ${TRUSTS[trust]}`)
}

async function expectSteps(lines: object[], expected: Step[]): Promise<void> {
  const texts = lines.map((line) => JSON.stringify(line))
  const model = loadTexts([texts.join('\n')], NOW)
  for (const pieces of [[texts], texts.map((text) => [text])]) {
    await withStore(async (store) => {
      for (const [index, piece] of pieces.entries()) await store.loadLines(`piece-${index}`, piece)
      expect(await stepsOf(store)).toEqual(expected)
      const books = await expectSameRecords(store, model)
      const random = new Random(1, 'summaries')
      for (let i = 0; i < 10; i++) await expectSameSummary(store, model, books, random)
      expect((await verifyStore(store.store)).damage).toEqual([])
    })
  }
}

describe('a book without a snapshot', () => {
  test('is established from the quote whose hash agrees, even if nothing follows', () =>
    expectSteps(proven, ['0: observed', '1000: established']))
  test('is also established if more follows, and is lost after a gap', () => {
    const msg = { from: NOON + 2_000, to: NOON + 2_000, reason: 'reconnect' }
    const gap = { type: 'gap', venue: 'polymarket', market: CONDITION, msg }
    return expectSteps(
      [...proven, bought(2_000, hashOf(2_000, [['0.4', '9']], ASK), '9'), gap, bought(3_000, WRONG)],
      ['0: observed', '1000: established', '2000: lost'],
    )
  })
  test('stays observed where no hash agrees', () =>
    expectSteps([bought(0, WRONG), sold(1_000, WRONG)], ['0: observed']))
  test('is an established opening book of the next day', () =>
    expectSteps(
      [...proven, bought(DAY_MS, hashOf(DAY_MS, [['0.4', '9']], ASK), '9')],
      ['0: observed', '1000: established'],
    ))
  test('is contradicted by a later snapshot as any established book is', () =>
    expectSteps(
      [...proven, book(5_000, [['0.3', '1']], [['0.7', '1']])],
      ['0: observed', '1000: doubtful', '5000: established'],
    ))
})

describe('an established book', () => {
  const opening = { ...book(0, BID, ASK), hash: hashOf(0, BID, ASK) }
  test('is doubtful from before a quote whose hash contradicts, to one whose hash agrees', () =>
    expectSteps(
      [
        opening,
        bought(1_000, WRONG, '9'),
        bought(2_000, WRONG, '8'),
        bought(3_000, hashOf(3_000, [['0.4', '7']], ASK), '7'),
      ],
      ['0: doubtful', '3000: established'],
    ))
  test('is doubtful to its next snapshot, and on the next day', () => {
    const lines = [opening, bought(1_000, hashOf(1_000, [['0.4', '9']], ASK), '9'), bought(2_000, WRONG, '8')]
    return expectSteps(
      [...lines, bought(DAY_MS, WRONG, '6'), book(DAY_MS + 5_000, BID, ASK)],
      ['0: established', '1000: doubtful', `${DAY_MS + 5_000}: established`],
    )
  })
  test('of an older day is doubtful too, until a hash agrees', () =>
    expectSteps(
      [opening, bought(2 * DAY_MS, hashOf(2 * DAY_MS, [['0.4', '9']], ASK), '9')],
      ['0: established', `${1.5 * DAY_MS}: doubtful`, `${2 * DAY_MS}: established`],
    ))
})
