// Every query that a store can answer, and its answers as short texts. Equal answers have equal texts.

import { DataError } from '../../../../storage/failures.ts'
import { openStore, type Store, type StoreOnDisk } from '../../../../storage/open-store.ts'
import { DAY_MS, dateStartMs } from '../../../../storage/units.ts'
import { VENUES, type Venue } from '../../../../storage/venue.ts'
import { answerPage } from '../../../../workers/read/answer-page.ts'
import { summaryTask } from '../../../../workers/tasks/summary.ts'
import { verifyStore } from '../../../../workers/verify/verify-store.ts'

export type Question =
  | { about: 'list'; venue: Venue }
  | { about: 'slug'; slug: string }
  | { about: 'market' | 'coverage'; venue: Venue; market: string }
  | { about: 'page'; venue: Venue; market: string; date: string }
  | { about: 'range'; venue: Venue; market: string; from: string; to: string }
  | { about: 'summary'; venue: Venue; market: string; book: string; date: string }

/** Either the answer, or the error that is reported; `bug` is an error that no client should see. */
export type Answer = { answer: string } | { code: string; message: string } | { bug: string }

/** `damage` and `storeDamage` hold what `verify` finds. If `storeDamage` is not empty, no queries are run. */
export type StoreAnswers = { opening: Answer; answers: Answer[]; damage: string[]; storeDamage: string[] }

const NOW_MS = Date.parse('2026-08-01T00:00:00Z')
const LIST = { prefix: '', offset: 0, limit: 1_000 }

/** Calls `onVerified` once, with all damage that `verify` finds, before the first query. */
export async function askEverything(
  folder: string,
  questions: Question[],
  onVerified: (damage: string[]) => void = () => undefined,
): Promise<StoreAnswers> {
  let store: StoreOnDisk | undefined
  const opening = await answerOrError(async () => {
    store = openStore(folder)
    return 'opened'
  })
  if (store === undefined) {
    onVerified([])
    return { opening, answers: [], damage: [], storeDamage: [] }
  }
  try {
    const { damage: places, storeDamage } = await verifyStore(store, () => undefined)
    const damage = places.map((place) => JSON.stringify(place))
    onVerified([...damage, ...storeDamage])
    const answers = storeDamage.length > 0 ? [] : await answersOf(store, questions)
    return { opening, answers, damage, storeDamage }
  } finally {
    await store.close()
  }
}

async function answersOf(store: Store, questions: Question[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const question of questions) answers.push(await answerOrError(() => answerTo(store, question)))
  return answers
}

/** Returns questions about everything in an undamaged store. */
export async function questionsOf(store: Store, slugs: string[]): Promise<Question[]> {
  const questions: Question[] = [...slugs, 'no-such-slug'].map((slug) => ({ about: 'slug', slug }))
  for (const venue of VENUES) {
    questions.push({ about: 'list', venue }, { about: 'market', venue, market: 'NOTHING' })
    for (const market of (await store.catalogue.markets(venue, LIST)).markets) {
      const days = await store.catalogue.heads(venue, market)
      const [from, to] = [days[0]!.date, days.at(-1)!.date]
      questions.push({ about: 'market', venue, market }, { about: 'coverage', venue, market })
      questions.push({ about: 'range', venue, market, from, to })
      for (const { date, head } of days) {
        questions.push({ about: 'page', venue, market, date })
        const book = head.books[0]?.id
        if (book !== undefined) questions.push({ about: 'summary', venue, market, book, date })
      }
    }
  }
  return questions
}

async function answerTo({ catalogue, ...store }: Store, question: Question): Promise<string> {
  const storeReader = { catalogue, ...store }
  switch (question.about) {
    case 'list':
      return textOf(await catalogue.markets(question.venue, LIST))
    case 'slug':
      return textOf((await catalogue.slug(question.slug)) ?? null)
    case 'market':
      return textOf((await catalogue.market(question.venue, question.market)) ?? null)
    case 'coverage':
      return textOf(await catalogue.heads(question.venue, question.market))
    case 'page': {
      const { venue, market, date } = question
      const { head, chunks } = await answerPage(storeReader, {
        venue,
        market,
        book: null,
        limit: 10_000,
        scope: { date, offset: 0 },
      })
      return textOf(head, chunks)
    }
    case 'range': {
      const { venue, market, from, to } = question
      const scope = { fromMs: dateStartMs(from), toMs: dateStartMs(to) + DAY_MS - 1, after: null }
      const { head, chunks } = await answerPage(storeReader, { venue, market, book: null, limit: 10_000, scope })
      return textOf(head, chunks)
    }
    case 'summary': {
      const { venue, market, book, date } = question
      const fromMs = dateStartMs(date)
      const window = { fromMs: fromMs + DAY_MS / 3, toMs: fromMs + DAY_MS - 1, nowMs: NOW_MS }
      const { head, chunks } = await summaryTask.answer(storeReader, {
        ...{ venue, market, book, ...window },
        ...{ resolutionSeconds: 600, fill: 'observed', timestampUnit: 'ms' },
      })
      return textOf(head, chunks)
    }
  }
}

function textOf(value: object | null, chunks?: Iterator<Uint8Array>): string {
  let hash = Bun.hash.xxHash64(JSON.stringify(value))
  for (let next = chunks?.next(); next !== undefined && !next.done; next = chunks!.next()) {
    hash = Bun.hash.xxHash64(next.value, hash)
  }
  return hash.toString(36)
}

async function answerOrError(ask: () => Promise<string>): Promise<Answer> {
  try {
    return { answer: await ask() }
  } catch (error) {
    if (error instanceof DataError) return { code: error.code, message: error.message }
    return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
