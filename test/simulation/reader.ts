// Sends a client's queries to its own node, and checks each answer against the model: it shows a market after one of
// its commits, and includes every commit that was stored before the query.

import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import { answerPage } from '../../workers/read/answer-page.ts'
import type { Position } from '../../workers/requests.ts'
import type { Random } from '../../workers/synthetic/random.ts'
import type { Cluster, Workplace } from './cluster.ts'
import { pauseMs } from './fault-plan.ts'
import { DATES, dateOf, VENUE } from './made-loads.ts'
import { recordedAnswer } from './recording/recorded-answers.ts'
import type { Process } from './world.ts'

type Question = (market: string) => Promise<Answer>
type State = ReadonlySet<number>
/** `isShown` has a check for each part of the answer: whether it is correct for a market that holds these numbers.
 *  Parts of one answer may show different commits. */
type Answer = { shown: unknown; isShown: ((state: State, commit: number) => boolean)[] }
const FROM_MS = Date.parse(`${DATES[0]}T00:00:00Z`)
const TO_MS = Date.parse(`${DATES[1]}T23:59:59.999Z`)
const LIMIT = 1_000
const PAGE = 5

/** Sends queries in `count` rounds of one or two queries each. A restarted process sends only the rounds that are
 *  left. */
export const reader =
  (cluster: Cluster, random: Random, markets: readonly string[], count: number) => async (at: Workplace) => {
    const store = at.openStore({ listens: random.chance(0.6) })
    const node = new Node(cluster, at.process, store, random)
    cluster.nodes.set(at.process.name, node)
    while (count > 0) {
      count--
      await cluster.world.sleep(at.process, pauseMs(random))
      const questions = Array.from({ length: random.pick([1, 1, 2]) }, () => node.ask(random.pick(markets)))
      await Promise.all(questions)
    }
  }

export class Node {
  readonly #cluster: Cluster
  readonly #process: Process
  readonly #store: Store
  readonly #random: Random
  /** For each market, the newest commit that an answer has shown. */
  readonly #shown = new Map<string, number>()

  constructor(cluster: Cluster, process: Process, store: Store, random: Random) {
    this.#cluster = cluster
    this.#process = process
    this.#store = store
    this.#random = random
  }

  get isAlive(): boolean {
    return this.#process.isAlive
  }

  async ask(market: string): Promise<void> {
    if (this.#cluster.isRecorded(market)) return this.askOne(market, this.#recorded)
    const kinds = [this.#range, this.#range, this.#day, this.#pages, this.#entry, this.#entry, this.#entry, this.#entry]
    await this.askOne(market, this.#random.pick(kinds))
  }

  /** Reads everything about a market. */
  read = (market: string) => this.askOne(market, this.#cluster.isRecorded(market) ? this.#recorded : this.#range)

  async askOne(market: string, question: Question): Promise<void> {
    const { world, history, network } = this.#cluster
    const name = `${this.#process.name} about ${market}`
    const startMs = world.nowMs
    const { isListening, knownCommits } = this.#process
    // A node that receives notifications of commits answers with the commits that it knows of.
    const before = isListening ? (knownCommits.get(market) ?? 0) : history.commits(market)
    const shownBefore = this.#shown.get(market) ?? 0
    world.note(`${name} asks`)
    this.#store.refresh()
    let answer: Answer
    try {
      answer = await question(market)
    } catch (error) {
      world.note(`${name} is refused: ${error}`)
      world.count(`questions refused: ${(error as DataError).code}`)
      this.#requireExpected(error, network.hasFailedSince(this.#process, startMs))
      if ((error as DataError).code !== 'market_not_stored') return
      answer = { shown: 'nothing', isShown: [(state) => state.size === 0] }
    }
    // A node may answer from cached rows while the database is unreachable.
    const hasFailed = network.hasFailedSince(this.#process, startMs)
    const first = hasFailed ? shownBefore : before
    const commits = answer.isShown.map((isShown) => history.find(market, first, isShown))
    if (commits.includes(undefined)) {
      const states = history.states(market).map((state) => [...state].join(' '))
      throw new Error(`${name}: ${answer.shown} after no commit from ${first} on: ${JSON.stringify(states)}`)
    }
    const commit = Math.min(...(commits as number[]))
    this.#shown.set(market, Math.max(commit, this.#shown.get(market) ?? 0))
    world.count('answers that showed one commit')
    world.note(`${name} sees commit ${commit}`)
  }

  #requireExpected(error: unknown, hasFailed: boolean): void {
    if (!(error instanceof DataError)) throw error
    const { broken } = this.#cluster
    if (error.code === 'market_not_stored' || error.code === 'cursor_stale') return
    if (error.code === 'store_unavailable' && hasFailed) return
    if (error.code === 'block_corrupt' && broken.size > 0) return
    throw error
  }

  #range: Question = async (market) => {
    const scope = { fromMs: FROM_MS, toMs: TO_MS, after: null }
    const { numbers } = await this.#page(market, { limit: LIMIT, scope })
    return { shown: numbers, isShown: [(state) => isSame(numbers, [...state])] }
  }

  #day: Question = async (market) => {
    const date = this.#random.pick(DATES)
    const { numbers, totalCount } = await this.#page(market, { limit: LIMIT, scope: { date, offset: 0 } })
    const isShown = (state: State) => {
      const ofDate = [...state].filter((number) => dateOf(number) === date)
      return state.size > 0 && totalCount === ofDate.length && isSame(numbers, ofDate)
    }
    return { shown: `${date} with ${numbers}`, isShown: [isShown] }
  }

  /** Uses cursors: each page is a separate query, and a cursor detects whether anything before it on its own day has
   *  changed. */
  #pages: Question = async (market) => {
    const numbers: number[] = []
    let after: Position | null = null
    do {
      const page = await this.page(market, after)
      numbers.push(...page.numbers)
      after = page.next
    } while (after !== null)
    return { shown: numbers, isShown: ofEachDate(numbers) }
  }

  #recorded: Question = async (market) => {
    const question = this.#random.pick(['range', 'summary'] as const)
    const text = await recordedAnswer(this.#store, market, question)
    const isAnswer = (_: State, commit: number) => this.#cluster.recorded!.isAnswer(market, commit, question, text)
    return { shown: `${question} ${text}`, isShown: [isAnswer] }
  }

  #entry: Question = async (market) => {
    const entry = await this.#store.catalogue.market(VENUE, market)
    const isShown = (state: State) => {
      const dates = DATES.filter((date) => [...state].some((number) => dateOf(number) === date))
      if (entry === undefined) return state.size === 0
      const { firstDate, lastDate, dateCount, recordCount } = entry
      const isWhole = recordCount === state.size && dateCount === dates.length
      return isWhole && firstDate === dates[0] && lastDate === dates.at(-1)
    }
    return { shown: JSON.stringify(entry), isShown: [isShown] }
  }

  /** Reads the next page of a range, as a separate query. */
  page(market: string, after: Position | null): Promise<Page> {
    this.#store.refresh()
    return this.#page(market, { limit: PAGE, scope: { fromMs: FROM_MS, toMs: TO_MS, after } })
  }

  async #page(
    market: string,
    request: { limit: number; scope: Parameters<typeof answerPage>[1]['scope'] },
  ): Promise<Page> {
    const { head, chunks } = await answerPage(this.#store, { venue: VENUE, market, book: null, ...request })
    const bytes: Uint8Array[] = []
    for (let next = chunks.next(); !next.done; next = chunks.next()) bytes.push(next.value)
    const records = JSON.parse(Buffer.concat(bytes).toString()) as { seq: number }[]
    return { numbers: records.map(({ seq }) => seq - 1), next: head.next, totalCount: head.totalCount }
  }
}

/** Returns one check for each date: whether a state holds exactly these numbers on that date. Pages may show days of
 *  different commits. */
export function ofEachDate(numbers: readonly number[]): ((state: State) => boolean)[] {
  const ofDate = (date: string, all: Iterable<number>) => [...all].filter((number) => dateOf(number) === date)
  return DATES.map((date) => (state: State) => isSame(ofDate(date, numbers), ofDate(date, state)))
}

export type Page = { numbers: number[]; next: Position | null; totalCount: number | null }

/** Ignores the order of `others`: an answer has its records in the order of their numbers. */
const isSame = (numbers: readonly number[], others: readonly number[]): boolean =>
  Bun.deepEquals(
    numbers,
    [...others].sort((a, b) => a - b),
  )
