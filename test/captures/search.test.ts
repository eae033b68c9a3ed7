// Loads random metadata and records of markets. Search finds the same markets as a scan of every market, in the order
// of the contract.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../workers/synthetic/random.ts'
import { kalshiDelta, priceChange } from '../model/lines.ts'
import { loadTexts } from '../model/model.ts'
import { seeds } from '../run/effort.ts'
import { compareSearch } from '../support/compare/compare-search.ts'
import { storeAsk } from '../support/compare/store-ask.ts'
import { STORE_KINDS, withStoreOf } from '../support/store.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000
const TICKERS = ['KXBTC-26AUG10', 'KXBTC-26AUG10-15', 'KXBTC-26AUG11', 'KXBTCD-26AUG10', 'KXBTC', 'KX', 'KXFED-26.5_B']
const CONDITIONS = ['0123', '0124', '0a', 'a0', 'a1', 'ff'].map((digits) => `0x${digits.padEnd(64, '7')}`)
const LONG = 'pneumonoultramicroscopicsilicovolcanoconioses'
const WORDS = [
  ...[
    'Bitcoin',
    'Bitcoins',
    'bit',
    'Up',
    'or',
    'Down',
    'downtown',
    'Zürich',
    'ZÜRICH',
    'Zu\u0308ri',
    'Straße',
    'STRASSE',
  ],
  ...['ΟΔΟΣ', 'οδός', 'FÉD', 'fed', '15', '150', '2026', '80-84°F', '東京', '東', 'ﬁnal', LONG, LONG.slice(0, 30), 'é'],
]

class RandomLines {
  readonly #random: Random

  constructor(seed: number) {
    this.#random = new Random(seed, 'search')
  }

  line(): object {
    const kind = this.#random.below(6)
    if (kind === 0) return this.#gamma()
    if (kind === 1) return { slug: this.#event(), title: this.#text(), markets: [this.#gamma(), this.#gamma()] }
    if (kind === 2) return { event: this.#kalshiEvent(), markets: [this.#kalshi(), this.#kalshi()] }
    if (kind === 3) return this.#kalshi()
    return this.#record()
  }

  #text(): string {
    const count = this.#random.between(0, 3)
    return Array.from({ length: count }, () => this.#random.pick(WORDS)).join(this.#random.pick([' ', '-', ', ']))
  }

  #event(): string {
    return this.#random.pick(['btc-up', 'fed-26', 'zurich'])
  }

  #gamma(): object {
    const outcomes = this.#random.chance(0.5) ? { outcomes: JSON.stringify(['Yes', this.#random.pick(WORDS)]) } : {}
    const slug = this.#random.chance(0.5) ? { slug: this.#event() } : {}
    const event = this.#random.chance(0.5) ? { events: [{ slug: this.#event(), title: this.#text() }] } : {}
    return { conditionId: this.#random.pick(CONDITIONS), question: this.#text(), ...outcomes, ...slug, ...event }
  }

  #kalshi(): object {
    const outcomes = this.#random.chance(0.5) ? { yes_sub_title: this.#text(), no_sub_title: this.#text() } : {}
    const subtitle = this.#random.chance(0.5) ? { subtitle: this.#text() } : {}
    const event_ticker = this.#random.pick(['KXBTC', 'KXFED-26'])
    return { ticker: this.#random.pick(TICKERS), event_ticker, title: this.#text(), ...outcomes, ...subtitle }
  }

  #kalshiEvent(): object {
    return { event_ticker: this.#random.pick(['KXBTC', 'KXFED-26']), title: this.#text(), sub_title: this.#text() }
  }

  #record(): object {
    const ms = this.#random.below(4) * DAY_MS
    if (this.#random.chance(0.5)) {
      return { ...priceChange(ms, { price: '0.4', size: '1' }), market: this.#random.pick(CONDITIONS) }
    }
    const { msg, ...line } = kalshiDelta(ms, '0.4', '1')
    return { ...line, msg: { ...msg, market_ticker: this.#random.pick(TICKERS) } }
  }
}

describe.each(STORE_KINDS)('in a store on %s', (kind) => {
  test.each(seeds(0, 4, 40))('seed %d', async (seed) => {
    const randomLines = new RandomLines(seed)
    const parts = [1, 2, 3].map(() => Array.from({ length: 10 }, () => JSON.stringify(randomLines.line())))
    await withStoreOf(kind, async (store) => {
      for (const [index, lines] of parts.entries()) {
        await store.loadLines(`part-${index}`, lines)
        const model = loadTexts(
          parts.slice(0, index + 1).map((each) => each.join('\n')),
          NOW,
        )
        const comparison = {
          ask: storeAsk(store, NOW),
          model,
          random: new Random(seed, 'asked'),
          nowMs: NOW,
          count: 60,
        }
        expect(await compareSearch(comparison)).toBeGreaterThan(30)
      }
    })
  })
})
