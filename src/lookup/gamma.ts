// Asks Polymarket's Gamma API for a slug that is not stored: once for each slug, since the answer is stored. Storing
// waits for whoever writes, answering does not.

import type { SlugAnswer } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import { gammaAnswers } from '../../workers/load/store-metadata.ts'
import type { AskForSlug } from '../routes/lookup.ts'

const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 16 << 20
/** For so long a slug that Gamma does not know is not asked for again. */
const UNKNOWN_MS = 60_000
const UNKNOWN_MAX = 10_000
const ANSWERED_MAX = 1_000
/** Questions that run at the same time. Every client may cause one. */
const RUNNING_MAX = 32

export type GammaOptions = {
  /** Base address, such as https://gamma-api.polymarket.com. */
  url: string
  /** Given the event and market documents of each answer, to be stored at some time. */
  keep(documents: unknown[]): void
  /** How long an answer may take, to its last byte. */
  timeoutMs?: number
  /** Ms, on a clock that never steps back. */
  elapsedMs?: () => number
}

/** Asks for an event, then for a market. If Gamma fails, the slug is not found, and is asked for again the next time.
 *  What it answered is remembered until it is stored, or much else was asked. The returned function rejects with
 *  DataError('overloaded'). */
export function askGamma(options: GammaOptions): AskForSlug {
  const { url, keep, timeoutMs = TIMEOUT_MS, elapsedMs = () => performance.now() } = options
  const unknown = new Map<string, number>()
  const answered = new Map<string, SlugAnswer>()
  const running = new Map<string, Promise<SlugAnswer | undefined>>()
  const ask = async (slug: string): Promise<SlugAnswer | undefined> => {
    for (const kind of ['events', 'markets']) {
      const documents = await fetchDocuments(`${url}/${kind}?slug=${encodeURIComponent(slug)}`, timeoutMs)
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
    // A slug is that of an event first.
    for (const answer of events) answered.set(answer.event!.slug, answer)
  }
  return async (slug) => {
    const known = answered.get(slug)
    if (known !== undefined) return known
    if ((unknown.get(slug) ?? 0) > elapsedMs()) return undefined
    if (running.size >= RUNNING_MAX && !running.has(slug)) {
      throw new DataError('overloaded', 'Too many questions to Gamma are running: try again later')
    }
    const asked = running.get(slug) ?? ask(slug).catch(() => undefined)
    running.set(slug, asked)
    try {
      return await asked
    } finally {
      running.delete(slug)
    }
  }
}

async function fetchDocuments(address: string, timeoutMs: number): Promise<unknown[]> {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  if (response.status === 404) return []
  if (!response.ok) throw new Error(`Gamma answered ${response.status}`)
  const answer: unknown = JSON.parse(await limitedText(response))
  return Array.isArray(answer) ? answer : [answer]
}

/** Reads no more than the limit. */
async function limitedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > ANSWER_BYTES_MAX) throw new Error('The answer of Gamma is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
