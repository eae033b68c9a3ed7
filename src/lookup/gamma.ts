// Looks up slugs that are not stored. Requests each slug once from Polymarket's Gamma API, since the answer is
// stored. A lookup does not wait until its answer is stored.

import type { SlugAnswer } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import { fetchOnce, HttpFailure, readText } from '../../storage/retry/http-client.ts'
import type { Timers } from '../../storage/retry/timers.ts'
import { gammaAnswers } from '../../workers/load/store-metadata.ts'
import type { AskForSlug } from '../routes/lookup.ts'

/** Time limit of an answer, to its last byte. */
const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 16 << 20
/** Time for which a slug unknown to Gamma is not requested again. */
const UNKNOWN_MS = 60_000
const UNKNOWN_MAX = 10_000
const ANSWERED_MAX = 1_000
/** Limit of concurrent requests. Every client may cause one. */
const RUNNING_MAX = 32

export type GammaOptions = {
  /** Base address, such as https://gamma-api.polymarket.com. */
  url: string
  /** Receives the event and market documents of each answer, to be stored later. */
  keep(documents: unknown[]): void
  timers?: Timers
  /** Monotonic time, ms. */
  elapsedMs?: () => number
}

/** Returns a function that looks up a slug: first as an event, then as a market. If Gamma fails, the function reports
 *  the slug as not found, and requests it again the next time. Answers stay in memory until many others displace them,
 *  so they are available before they are stored. The function rejects with DataError('overloaded'). */
export function askGamma(options: GammaOptions): AskForSlug {
  const { url, keep, timers, elapsedMs = () => performance.now() } = options
  const unknown = new Map<string, number>()
  const answered = new Map<string, SlugAnswer>()
  const running = new Map<string, Promise<SlugAnswer | undefined>>()
  const ask = async (slug: string): Promise<SlugAnswer | undefined> => {
    for (const kind of ['events', 'markets']) {
      const documents = await fetchDocuments(`${url}/${kind}?slug=${encodeURIComponent(slug)}`, timers)
      if (documents.length === 0) continue
      keep(documents)
      remember(documents)
      return answered.get(slug)
    }
    if (unknown.size >= UNKNOWN_MAX) unknown.clear()
    unknown.set(slug, elapsedMs() + UNKNOWN_MS)
    return undefined
  }
  const remember = (documents: unknown[]) => {
    const { events, markets } = gammaAnswers(documents)
    if (answered.size >= ANSWERED_MAX) answered.clear()
    for (const answer of markets) answered.set(answer.markets[0]!.slug, answer)
    // An event's slug takes precedence over a market's.
    for (const answer of events) answered.set(answer.event!.slug, answer)
  }
  return async (slug) => {
    const known = answered.get(slug)
    if (known !== undefined) return known
    if ((unknown.get(slug) ?? 0) > elapsedMs()) return undefined
    if (running.size >= RUNNING_MAX && !running.has(slug)) {
      throw new DataError('overloaded', 'Too many requests to Gamma are running: try again later')
    }
    const request = running.get(slug) ?? ask(slug).catch(() => undefined)
    running.set(slug, request)
    try {
      return await request
    } finally {
      running.delete(slug)
    }
  }
}

async function fetchDocuments(url: string, timers?: Timers): Promise<unknown[]> {
  const read = async (response: Response): Promise<unknown> => JSON.parse(await readText(response, ANSWER_BYTES_MAX))
  try {
    const answer = await fetchOnce({ url, redirect: 'error', timeoutMs: TIMEOUT_MS, timers, read })
    return Array.isArray(answer) ? answer : [answer]
  } catch (error) {
    if (error instanceof HttpFailure && error.status === 404) return []
    throw error
  }
}
