// Measures searches among 100,000 markets, and a calendar of a year.

import { findableMarkets } from '../../datasets/findable-markets.ts'
import { askNew, type NewQuestions } from '../../measure/new-questions.ts'
import { startBackbook } from '../../servers/backbook-server.ts'
import type { Topic } from '../../topic.ts'

const AT_MOST_10 = { atMost: 10 }

export const topic: Topic = {
  prepare: async ({ size }) => void (await findableMarkets(size)),
  async run({ size }, findings) {
    const { data, marketCount, from, to, word } = await findableMarkets(size)
    const server = await startBackbook(data)
    const search = (text: string) => `/api/v1/search?q=${encodeURIComponent(text)}`
    // Searches for words that every market has, prefixes that most have, and words that few have.
    const searches: Record<string, (number: number) => string> = {
      'two words': (number) => `${word(number)} ${word(2 * number + 1)}`,
      'the beginning of a word': (number) => word(7 * number).slice(0, 3),
      'the beginnings of three words': (number) =>
        `will ${word(3 * number).slice(0, 2)} ${word(5 * number).slice(0, 2)}`,
      'a word of every market': (number) => `will happen ${number}`,
      'an id': (number) => `KXFIND-${String((10 * number) % marketCount).padStart(6, '0')}-T3`,
    }
    for (const [name, text] of Object.entries(searches)) {
      const path = (number: number) => search(text(number))
      await askNew(findings, server, { name: `search: ${name}`, path, target: AT_MOST_10 }, size)
    }
    const others: NewQuestions[] = [
      { name: 'calendar of 366 days', path: () => `/api/v1/kalshi/calendar?from=${from}&to=${to}`, target: AT_MOST_10 },
      { name: 'info of a market', path: (number) => `/api/v1/kalshi/market/info?ticker=KXFIND-000000-T${number % 10}` },
      { name: 'busiest markets of a date', path: () => `/api/v1/kalshi/markets/active?date=${to}&by=records` },
    ]
    for (const question of others) await askNew(findings, server, question, size)
    await server.stop()
  },
}
