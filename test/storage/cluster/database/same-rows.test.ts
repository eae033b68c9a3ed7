// Goal: after any sequence of commits, moves and sweeps PostgreSQL and its double have answered the same, and tell the
// same.

import { expect, test } from 'bun:test'
import { type DayChange, SegmentSwept } from '../../../../storage/cluster/database/cluster-database.ts'
import type { PartitionHead } from '../../../../storage/format/partition-head.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { openMemoryRows, openPostgresRows } from './each-database.ts'
import { change, commit, day, headOf, move, type Rows, segmentOf, toldBy, unnamedOf, VENUE } from './made-rows.ts'

const MARKETS = ['A', 'B', 'a', 'ß']
const DATES = ['2026-07-19', '2026-07-20', '2026-07-21']
const STEPS = 40
const HOUR_MS = 3_600_000
const COUNT_MAX = 250

type Step = (rows: Rows) => Promise<unknown>

/** Draws what is done next. It remembers what is stored, so that most of it can take effect. */
class Steps {
  readonly #random: Random
  readonly #heads = new Map<string, PartitionHead>()
  readonly #revisions = new Map<string, number>()
  readonly #keys: string[] = []
  #count = 0

  constructor(seed: number) {
    this.#random = new Random(seed, 'same rows')
  }

  /** `done` is told the answer. */
  next(): { step: Step; done: (answer: unknown) => void } {
    const random = this.#random
    const kind = random.fraction()
    if (kind < 0.6) return this.#commit()
    if (kind < 0.8) return { step: this.#move(), done: () => undefined }
    const keys = [...this.#keys.filter(() => random.chance(0.2)), this.#newKey()].map((key) => segmentOf(key).key)
    const graceMs = random.pick([0, 0, HOUR_MS])
    const sweep: Step = random.pick([
      (rows) => unnamedOf(rows, graceMs),
      async (rows) => (await rows.unknown(keys)).sort(),
      async (rows) => (await rows.mark(keys, graceMs)).sort(),
      async (rows) => rows.swept(await unnamedOf(rows, HOUR_MS)),
      (rows) => rows.forgetMarks(graceMs),
    ])
    return { step: sweep, done: () => undefined }
  }

  #commit() {
    const random = this.#random
    const markets = MARKETS.filter(() => random.chance(0.5))
    const noted: [string, [string, PartitionHead | null][]][] = []
    const changes = markets.map((market) => {
      const dates = DATES.filter(() => random.chance(0.5))
      const days = dates.map((date) => this.#day(market, date))
      noted.push([market, days.map(({ date, head }) => [date, head?.decoded ?? null])])
      const revision = this.#revisions.get(market) ?? 0
      return change(market, random.chance(0.8) ? revision : random.below(revision + 2), ...days)
    })
    const hasPieces = changes.some(({ days }) => days.some(({ put }) => put.length > 0))
    const key = hasPieces || random.chance(0.1) ? this.#newKey() : null
    const sent = commit(random.chance(0.03) ? (this.#keys[0] ?? key) : key, ...changes)
    const done = (answer: unknown) => {
      if (!Array.isArray(answer)) return
      for (const [index, [market, heads]] of noted.entries()) {
        if (answer.includes(index)) continue
        this.#revisions.set(market, (this.#revisions.get(market) ?? 0) + 1)
        for (const [date, head] of heads) {
          if (head === null) this.#heads.delete(`${market} ${date}`)
          else this.#heads.set(`${market} ${date}`, head)
        }
      }
    }
    return { step: (rows: Rows) => rows.commitRows(sent), done }
  }

  #day(market: string, date: string): DayChange {
    const random = this.#random
    const before = this.#heads.get(`${market} ${date}`) ?? null
    if (before !== null && random.chance(0.2)) return day(date, { before, head: null })
    const head = headOf(random.below(COUNT_MAX), (before?.revision ?? 0) + 1)
    const ids = () => [1, 2, 3, 4].filter(() => random.chance(0.4))
    return day(date, { before, head, put: ids(), removed: ids() })
  }

  /** Of what is stored then; some of it as it was read before another commit, which is refused. */
  #move(): Step {
    const date = this.#random.pick(DATES)
    const segment = segmentOf(this.#newKey())
    const stale = this.#random.chance(0.2)
    const put = [1, 2, 3, 4].filter(() => this.#random.chance(0.5))
    return async (rows) => {
      const found = await rows.unmoved(VENUE, date, { after: '', limit: 3 })
      const moves = found.map((each) => move(each.market, each.day, put))
      if (stale && moves.length > 0) moves[0]!.before = moves[0]!.before.slice(1)
      return rows.move(segment, moves)
    }
  }

  #newKey(): string {
    const key = `key-${String(++this.#count).padStart(3, '0')}`
    this.#keys.push(key)
    return key
  }
}

/** The answer, or why there is none. */
async function answerOf(step: Step, rows: Rows): Promise<unknown> {
  try {
    return await step(rows)
  } catch (error) {
    if (error instanceof SegmentSwept) return 'swept'
    throw error
  }
}

test.skipIf(openPostgresRows === undefined).each([1, 2, 3])(
  'steps of seed %d have the same answers',
  async (seed) => {
    await using memory = await openMemoryRows()
    await using postgres = await openPostgresRows!()
    const steps = new Steps(seed)
    const answers: string[] = []
    for (let count = 1; count <= STEPS; count++) {
      const { step, done } = steps.next()
      const answer = await answerOf(step, memory.rows)
      expect(await answerOf(step, postgres.rows), `step ${count}`).toEqual(answer)
      answers.push(JSON.stringify(answer))
      done(answer)
      if (count % 5 > 0) continue
      const told = await toldBy(memory.rows, MARKETS, DATES)
      expect(await toldBy(postgres.rows, MARKETS, DATES), `after step ${count}`).toEqual(told)
    }
    expect(new Set(answers).size).toBeGreaterThan(4)
  },
  60_000,
)
