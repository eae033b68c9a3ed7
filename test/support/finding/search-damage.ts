// Computes the markets of events and the search index from the stored markets and their metadata. Compares the results
// with the stored ones.

import type { EventCard, MarketCard } from '../../../storage/finding/metadata.ts'
import { marketWords, wordsOf } from '../../../storage/finding/search-words.ts'
import { openEnvironment } from '../../../storage/lmdb/environment.ts'
import { LmdbRows } from '../../../storage/lmdb/lmdb-rows.ts'
import { dayDamage, differs, type VenueDays } from '../../../storage/rows/damage/day-damage.ts'
import {
  dayOf,
  firstNumber,
  GONE,
  type KnownRow,
  nameKey,
  openDays,
  openKnown,
  openName,
} from '../../../storage/rows/finding/index-change.ts'
import { memberKey, openDescription } from '../../../storage/rows/finding/metadata-rows.ts'
import { openPart, type Posting, postingsOf } from '../../../storage/rows/finding/postings.ts'
import { below, keyOf, namesOf, type RowKind } from '../../../storage/rows/keys.ts'
import { pagesOf, type Row, type RowKey, type Rows } from '../../../storage/rows/rows.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'

/** The bits of a posting that hold the number of the market. */
const NUMBER_BITS = 0x7fff_ffff

/** Returns one sentence for the first difference of each kind: further ones have the same cause. Includes differences
 *  of dates. Throws DataError('block_corrupt') if a row cannot be read. */
export async function searchDamage(rows: Rows): Promise<string[]> {
  const damage = new Set<string>()
  for (const venue of VENUES) {
    const days: VenueDays = new Map()
    await dayDamage(rows, venue, days, damage)
    const cards = await memberDamage(rows, venue, damage)
    const known = await numberDamage(rows, venue, { days, described: cards.markets }, damage)
    await wordDamage(rows, venue, { cards, known }, damage)
  }
  return [...damage]
}

/** Works like `searchDamage`, for the store in a folder. */
export async function searchDamageIn(folder: string): Promise<string[]> {
  const { databases, close } = openEnvironment(folder)
  try {
    const rows = new LmdbRows(databases, folder)
    rows.refresh()
    return await searchDamage(rows)
  } finally {
    await close()
  }
}

type Cards = { markets: Map<string, MarketCard>; events: Map<string, EventCard> }

async function memberDamage(rows: Rows, venue: Venue, damage: Set<string>): Promise<Cards> {
  const cards: Cards = { markets: new Map(), events: new Map() }
  const members = new Set<string>()
  await eachRow(rows, 'c', venue, ({ key, value }) => {
    const market = namesOf(key)[1]!
    const { card } = openDescription<MarketCard>(key, value)
    cards.markets.set(market, card)
    if (card.event !== null) members.add(memberKey(venue, card.event, market))
  })
  await eachRow(rows, 'e', venue, ({ key, value }) => {
    cards.events.set(namesOf(key)[1]!, openDescription<EventCard>(key, value).card)
  })
  let count = 0
  await eachRow(rows, 'x', venue, ({ key }) => {
    count++
    if (!members.has(key)) damage.add(differs(`the event ${namesOf(key)[1]}`))
  })
  if (count !== members.size) damage.add(differs('events'))
  return cards
}

type Markets = { days: VenueDays; described: ReadonlyMap<string, unknown> }

/** Checks the numbers of the markets. Resolves to the known markets by name. */
async function numberDamage(rows: Rows, venue: Venue, { days, described }: Markets, damage: Set<string>) {
  const known = new Map<string, KnownRow>()
  await eachRow(rows, 'k', venue, ({ key, value }) => void known.set(namesOf(key)[1]!, openKnown(key, value)))
  const newest = new Map<number, number>()
  await eachRow(rows, 't', venue, ({ key, value }) => {
    for (const [at, day] of openDays(key, value).entries()) if (day !== GONE) newest.set(firstNumber(key) + at, day)
  })
  const names = new Map<string, string>()
  await eachRow(rows, 'n', venue, ({ key, value }) => void names.set(key, openName(key, value)))
  for (const market of new Set([...days.keys(), ...described.keys(), ...known.keys()])) {
    const row = known.get(market)
    const lastDate = days.get(market)?.dates.at(-1) ?? null
    const isSame =
      row?.isStored === (lastDate !== null) &&
      row.isDescribed === described.has(market) &&
      newest.get(row.number) === dayOf(lastDate) &&
      names.get(nameKey(venue, row.number)) === market
    if (isSame) continue
    damage.add(differs(`search about the ${venue} market ${market}`))
    break
  }
  if (known.size !== names.size || known.size !== newest.size) damage.add(differs('search'))
  return known
}

type Searched = { cards: Cards; known: ReadonlyMap<string, KnownRow> }

/** Checks the postings of words. Compares a sum over the postings of each market, so that their order does not
 *  matter. */
async function wordDamage(rows: Rows, venue: Venue, { cards, known }: Searched, damage: Set<string>): Promise<void> {
  const sums = new Map<number, number>()
  const add = (number: number, amount: number) => sums.set(number, (sums.get(number) ?? 0) + amount)
  await eachRow(rows, 'w', venue, ({ key, value }) => {
    for (const posting of postingsIn(key, value)) add(posting.number, hash(posting))
  })
  for (const [market, { number }] of known) {
    const card = cards.markets.get(market)
    const words = marketWords(market, card, card?.event ? cards.events.get(card.event) : undefined)
    const [first] = wordsOf(market)
    for (const posting of postingsOf(number, words, first).values()) add(number, -hash(posting))
  }
  if ([...sums.values()].some((sum) => sum !== 0)) damage.add(differs('search'))
}

/** Returns a hash of only 32 bits, so that sums of hashes stay exact. */
const hash = ({ term, market, rest }: Posting): number => Bun.hash.xxHash32(`${term} ${market} ${rest}`)

async function eachRow(rows: Rows, kind: RowKind, venue: Venue, check: (row: Row) => void): Promise<void> {
  for await (const page of pagesOf(rows, below(keyOf(kind, venue)))) for (const row of page) check(row)
}

/** Returns the postings in a part. */
export function postingsIn(key: RowKey, value: Uint8Array): (Posting & { number: number })[] {
  const term = namesOf(key)[1]!
  const numbers = openPart(key, value)
  return Array.from({ length: (numbers.length - 1) / 2 }, (_, at) => {
    const [market, rest] = [numbers[1 + 2 * at]!, numbers[2 + 2 * at]!]
    return { term, market, rest, number: market & NUMBER_BITS }
  })
}
