// What venues say of markets and events: plain data, kept beside the records and not one of them.

import type { Venue } from '../venue.ts'

export type JsonObject = Record<string, unknown>

/** `outcome` is its name, '' while only its token is known. `asset_id` is the token of it, null on Kalshi. `title` says
 *  what it stands for where the venue has words for that. */
export type Outcome = { outcome: string; title: string | null; asset_id: string | null }

/** What a market is found by, and shown with. `event` is the event's ticker, or its slug on Polymarket. */
export type MarketCard = {
  title: string | null
  /** What sets it apart from the other markets of its event. */
  subtitle: string | null
  slug: string | null
  event: string | null
  outcomes: Outcome[]
}

/** `series` is the venue's own id of it: a ticker on Kalshi, a slug on Polymarket. */
export type EventCard = {
  title: string | null
  subtitle: string | null
  category: string | null
  series: string | null
}

/** `said` is the venue's own JSON, `saidMs` its time of that, null where it tells none. */
export type Said<Card> = { card: Card; said: JsonObject; saidMs: number | null }
/** `loadedMs`: when what is kept was changed last. */
export type Kept<Card> = Said<Card> & { loadedMs: number }

export type SaidMarket = Said<MarketCard> & { venue: Venue; market: string }
export type SaidEvent = Said<EventCard> & { venue: Venue; event: string }
/** In the order in which it was said. */
export type Metadata = { markets: SaidMarket[]; events: SaidEvent[] }

/** What is to be kept where `kept` was, and one thing after the other is said; `kept` itself where nothing is new in the
 *  end. The later of two counts, by the venue's time, else the one that was said later; what it leaves open stays as it
 *  was known. */
export function mergedMetadata<Card extends AnyCard>(
  kept: Kept<Card> | undefined,
  said: readonly Said<Card>[],
  loadedMs: number,
): Kept<Card> {
  const [first, ...more] = said.map(({ card, said, saidMs }) => ({ card, said, saidMs }))
  const start = kept === undefined ? first! : mergedTwo(withoutLoading(kept), first!)
  const merged = more.reduce(mergedTwo, start)
  return kept !== undefined && Bun.deepEquals(merged, withoutLoading(kept)) ? kept : { ...merged, loadedMs }
}

const withoutLoading = <Card>({ card, said, saidMs }: Kept<Card>): Said<Card> => ({ card, said, saidMs })

type AnyCard = MarketCard | EventCard

function mergedTwo<Card extends AnyCard>(known: Said<Card>, given: Said<Card>): Said<Card> {
  const isOlder = given.saidMs !== null && known.saidMs !== null && given.saidMs < known.saidMs
  const [older, newer] = isOlder ? [given, known] : [known, given]
  return {
    card: filled(older.card, { ...newer.card, ...filledOutcomes(older.card, newer.card) }),
    said: filled(older.said, newer.said),
    saidMs: newer.saidMs ?? older.saidMs,
  }
}

/** Names and tokens are two lists of the venue: a document may have one of them, which then counts as a whole. */
function filledOutcomes(older: AnyCard, newer: AnyCard): { outcomes?: Outcome[] } {
  if (!('outcomes' in older) || !('outcomes' in newer)) return {}
  const names = newer.outcomes.some(({ outcome }) => outcome !== '') ? newer.outcomes : older.outcomes
  const tokens = newer.outcomes.some(({ asset_id }) => asset_id !== null) ? newer.outcomes : older.outcomes
  const count = Math.max(names.length, tokens.length)
  const outcomes = Array.from({ length: count }, (_, i): Outcome => {
    const title = newer.outcomes[i]?.title ?? older.outcomes[i]?.title ?? null
    return { outcome: names[i]?.outcome ?? '', title, asset_id: tokens[i]?.asset_id ?? null }
  })
  return { outcomes: outcomes.filter(({ outcome, asset_id }) => outcome !== '' || asset_id !== null) }
}

/** Each value of the newer one, unless it says nothing. */
function filled<T extends object>(older: T, newer: T): T {
  const told = Object.entries(newer).filter(([name, value]) => isTold(value) || !isTold(older[name as keyof T]))
  return { ...older, ...Object.fromEntries(told) }
}

/** Kalshi prints the year 1 for a time that it does not know, Gamma a list as text. */
const NOTHING = new Set<unknown>([null, undefined, '', '[]', '0001-01-01T00:00:00Z'])

function isTold(value: unknown): boolean {
  if (NOTHING.has(value)) return false
  return typeof value !== 'object' || Object.keys(value as object).length > 0
}
