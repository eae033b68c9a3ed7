// Compares search with the model. Where the contract leaves the order open, accepts any order.

import { type FoundRow, search, wordsIn } from '../../model/finding/search.ts'
import type { Venue } from '../../model/model.ts'
import type { Answer, Query } from '../../model/questions/model-ask.ts'
import { type Comparison, expectSameValue, questionText } from './comparison.ts'

const PATH = '/search'
const LIMIT = 20
const CHARACTERS_MAX = 200
const VENUES = ['polymarket', 'kalshi'] as const

/** Returns the total number of found markets. */
export async function compareSearch(comparison: Comparison): Promise<number> {
  const { ask, model, random, count } = comparison
  const all = search(model, '')
  let found = 0
  for (let i = 0; i < count && all.length > 0; i++) {
    const text = someText(all, comparison).slice(0, CHARACTERS_MAX)
    if (wordsIn(text).length === 0) continue
    const venue: Query = random.chance(0.3) ? { venue: random.pick(VENUES) } : {}
    const limit: Query = random.chance(0.4) ? { limit: String(random.pick([1, 2, 3, 100])) } : {}
    const query = { q: text, ...venue, ...limit }
    const expected = search(model, text, venue['venue'] as Venue | undefined)
    const rows = (await ask(PATH, query))['data'] as Answer[]
    expectRows(questionText(PATH, query), rows, expected, Number(limit['limit'] ?? LIMIT))
    found += rows.length
  }
  return found
}

function expectRows(question: string, rows: Answer[], expected: FoundRow[], limit: number): void {
  expectSameValue(question, 'number of rows', rows.length, Math.min(limit, expected.length))
  const left = new Map(expected.map((found) => [`${found.row.venue} ${found.row.market}`, found]))
  for (const [index, row] of rows.entries()) {
    const name = `${row['venue']} ${row['market']}`
    const found = left.get(name)
    if (found === undefined)
      throw new Error(`${question}\ndata.${index} is ${name}, which the model does not find once more`)
    left.delete(name)
    expectSameValue(question, `data.${index}`, row, found.row)
    expectSameValue(question, `the place of data.${index}`, found.place, expected[index]!.place)
  }
}

/** Returns prefixes of words of one market, or of its id. Sometimes adds a word that the market may lack. */
function someText(all: FoundRow[], { random }: Comparison): string {
  const { row } = random.pick(all)
  const cut = (text: string) => text.slice(0, Math.max(1, random.below(text.length + 1)))
  const id = row.venue === 'kalshi' && random.chance(0.3) ? row.market.toLowerCase() : row.market
  if (random.chance(0.15)) return id
  if (random.chance(0.2)) return cut(id)
  const outcomes = row.outcomes.flatMap(({ outcome, title }) => [outcome, title])
  const texts = [row.market, row.title, row.subtitle, row.slug, row.event?.id, row.event?.title, ...outcomes]
  const words = texts.flatMap((text) => (text ?? '').split(/[^\p{L}\p{N}\p{M}]+/u)).filter((word) => word !== '')
  const some = Array.from({ length: random.between(1, 3) }, () => {
    const word = random.chance(0.7) ? random.pick(words) : cut(random.pick(words))
    return random.chance(0.3) ? word.toUpperCase() : word
  })
  const other = random.chance(0.15) ? [random.pick(random.pick(all).row.market.split('-'))] : []
  return [...some, ...other].join(random.pick([' ', '  ', '-', ', ', '/']))
}
