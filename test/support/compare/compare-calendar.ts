// The calendar and the busiest markets of dates against the model.

import type { Venue } from '../../model/model.ts'
import type { Answer, Query } from '../../model/questions/model-ask.ts'
import { modelAsk } from '../../model/questions/model-ask.ts'
import { type Comparison, expectSameValue, questionText } from './comparison.ts'

const DAY_MS = 86_400_000
const VENUES = ['polymarket', 'kalshi'] as const

/** Compares the calendars of everything stored, and of ranges that begin or end outside it. */
export async function compareCalendar(comparison: Comparison): Promise<void> {
  const { random, count } = comparison
  for (const venue of VENUES) {
    await expectSameRows(comparison, `/${venue}/calendar`, {})
    for (let i = 0; i < count; i++) {
      const from = someDate(comparison, venue)
      const to = dateOf(Date.parse(from) + random.below(random.pick([1, 5, 300])) * DAY_MS)
      await expectSameRows(
        comparison,
        `/${venue}/calendar`,
        random.pick([
          { from, to },
          { from, to },
          { from, to: from },
        ]),
      )
    }
  }
}

/** Expects the model's rows. Rows of the answer may have more fields than the model. */
async function expectSameRows({ ask, model, nowMs }: Comparison, path: string, query: Query): Promise<void> {
  const expected = (await modelAsk(model, nowMs)(path, query))['data'] as Answer[]
  const actual = (await ask(path, query))['data'] as Answer[]
  const question = questionText(path, query)
  const names = (rows: Answer[]) => rows.map(({ date, market }) => date ?? market)
  expectSameValue(question, 'rows', names(actual), names(expected))
  for (const [index, row] of expected.entries()) {
    for (const [key, value] of Object.entries(row)) {
      expectSameValue(question, `data.${index}.${key}`, actual[index]![key], value)
    }
  }
}

export async function compareActiveMarkets(comparison: Comparison): Promise<void> {
  const { random, count } = comparison
  for (let i = 0; i < count; i++) {
    const venue = random.pick(VENUES)
    const by: Query = random.chance(0.8) ? { by: random.pick(['records', 'trades', 'volume', 'market']) } : {}
    const limit: Query = random.chance(0.5) ? { limit: String(random.pick([1, 2, 5])) } : {}
    const offset: Query = random.chance(0.5) ? { offset: String(random.pick([0, 1, 2])) } : {}
    await expectSameRows(comparison, `/${venue}/markets/active`, {
      date: someDate(comparison, venue),
      ...by,
      ...offset,
      ...limit,
    })
  }
}

/** Returns a random date, mostly one with stored records. */
function someDate({ model, random }: Comparison, venue: Venue): string {
  const stored = model.markets(venue).flatMap((market) => model.dates(venue, market))
  const date = stored.length === 0 ? '2026-04-10' : random.pick(stored)
  return dateOf(Date.parse(date) + random.pick([0, 0, 0, 0, -1, 1, -20]) * DAY_MS)
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
