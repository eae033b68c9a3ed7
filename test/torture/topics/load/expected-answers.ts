// Answers recorded on an idle server. Under any load, the server must return them again, byte for byte.

import type { SyntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import { days, page, range, shortPage, summary } from './paths.ts'
import type { Served } from './served-store.ts'

export class ExpectedAnswers {
  readonly #server: Served
  readonly #texts = new Map<string, string>()

  private constructor(server: Served) {
    this.#server = server
  }

  static async of(server: Served): Promise<ExpectedAnswers> {
    const answers = new ExpectedAnswers(server)
    for (const path of usualPaths(server.day)) answers.#texts.set(path, await answers.#ask(path))
    return answers
  }

  get paths(): string[] {
    return [...this.#texts.keys()]
  }

  /** Throws if the answer differs from the earlier one, or if there is none. */
  async check(path: string): Promise<void> {
    if ((await this.#ask(path)) !== this.#texts.get(path)) throw new Error(`another answer: ${path}`)
  }

  isRight(path: string, body: Buffer): boolean {
    return body.toString() === this.#texts.get(path)
  }

  async #ask(path: string): Promise<string> {
    const { port, secret } = this.#server
    const signal = AbortSignal.timeout(60_000)
    const headers = { authorization: `Bearer ${secret}` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${answer.status} of ${path}: ${text.slice(0, 500)}`)
    return text
  }
}

const usualPaths = (day: SyntheticDay) => [
  shortPage(day),
  page(day, 900, 5_000),
  page(day, 10_000),
  range(day, 500),
  summary(day, 60),
  summary(day, 5, 'none'),
  days(day),
]
