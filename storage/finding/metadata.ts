// What venues publish about markets and events: plain data, stored beside the records and not among them.

import type { Venue } from '../venue.ts'

export type JsonObject = Record<string, unknown>

/** `outcome` is the outcome's name, '' while only its token is known. `asset_id` is its token, null on Kalshi.
 *  `title` describes the outcome; null if the venue does not. */
export type Outcome = { outcome: string; title: string | null; asset_id: string | null }

/** The fields by which a market is found and with which it is shown to users. `event` is the event's ticker, or on
 *  Polymarket its slug. */
export type MarketCard = {
  title: string | null
  /** What distinguishes the market from the other markets of its event. */
  subtitle: string | null
  slug: string | null
  event: string | null
  outcomes: Outcome[]
}

/** `series` is the venue's own id of the series: a ticker on Kalshi, a slug on Polymarket. */
export type EventCard = {
  title: string | null
  subtitle: string | null
  category: string | null
  series: string | null
}

/** A description of a market or event. `said` is the venue's own JSON. `saidMs` is the time that the venue gives for
 *  this JSON; null if the venue gives none. */
export type Description<Card> = { card: Card; said: JsonObject; saidMs: number | null }
/** A stored description. `loadedMs` is when it last changed, Unix ms. */
export type StoredDescription<Card> = Description<Card> & { loadedMs: number }

export type MarketDescription = Description<MarketCard> & { venue: Venue; market: string }
export type EventDescription = Description<EventCard> & { venue: Venue; event: string }
/** Descriptions in the order in which the venue sent them. */
export type Metadata = { markets: MarketDescription[]; events: EventDescription[] }

/** Merges the stored description with new ones, one after the other, and returns what to store. Returns `stored` itself
 *  if nothing changes. The later of two descriptions wins: by the venue's time, else the one that was sent later.
 *  Values that the later one leaves out keep their earlier value. */
export function mergedMetadata<Card extends AnyCard>(
  stored: StoredDescription<Card> | undefined,
  updates: readonly Description<Card>[],
  loadedMs: number,
): StoredDescription<Card> {
  const [first, ...more] = updates.map(({ card, said, saidMs }) => ({ card, said, saidMs }))
  const start = stored === undefined ? first! : mergedTwo(withoutLoading(stored), first!)
  const merged = more.reduce(mergedTwo, start)
  return stored !== undefined && Bun.deepEquals(merged, withoutLoading(stored)) ? stored : { ...merged, loadedMs }
}

const withoutLoading = <Card>({ card, said, saidMs }: StoredDescription<Card>): Description<Card> => ({
  card,
  said,
  saidMs,
})

type AnyCard = MarketCard | EventCard

function mergedTwo<Card extends AnyCard>(one: Description<Card>, other: Description<Card>): Description<Card> {
  const isOlder = other.saidMs !== null && one.saidMs !== null && other.saidMs < one.saidMs
  const [older, newer] = isOlder ? [other, one] : [one, other]
  return {
    card: filled(older.card, { ...newer.card, ...filledOutcomes(older.card, newer.card) }),
    said: filled(older.said, newer.said),
    saidMs: newer.saidMs ?? older.saidMs,
  }
}

/** Names and tokens are two separate lists of the venue. A document may contain only one of them, which then replaces
 *  the whole stored list. */
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

/** Returns a copy of the older object, updated with the newer object's values, except empty ones. */
function filled<T extends object>(older: T, newer: T): T {
  const newValues = Object.entries(newer).filter(
    ([name, value]) => hasValue(value) || !hasValue(older[name as keyof T]),
  )
  return { ...older, ...Object.fromEntries(newValues) }
}

/** Values that mean "unknown": Kalshi prints the year 1 for an unknown time, Gamma prints an empty list as text. */
const EMPTY_VALUES = new Set<unknown>([null, undefined, '', '[]', '0001-01-01T00:00:00Z'])

function hasValue(value: unknown): boolean {
  if (EMPTY_VALUES.has(value)) return false
  return typeof value !== 'object' || Object.keys(value as object).length > 0
}
