// Recomputes the index for finding from heads and metadata, and compares it with the stored one.

import { changedSums, type DaySums, NO_SUMS, totalsOf } from '../../finding/day-totals.ts'
import { marketWords, wordsOf } from '../../finding/search-words.ts'
import type { PartitionKey } from '../../partition-key.ts'
import { openHead } from '../../sealed/stored-parts.ts'
import { VENUES, type Venue } from '../../venue.ts'
import { type Databases, KEY_END, type Key } from '../values/databases.ts'
import { openMarket } from '../values/stored-values.ts'
import { countOf, dayOf, GONE, nameOf, numberOf, readLastDays } from './market-numbers.ts'
import { getPacked } from './packed-values.ts'
import { allPostings, postingsOf } from './postings.ts'
import { type DayColumns, daysKey, readSums, rowOf } from './stored-days.ts'
import { cardsOf, descriptionOf, memberKey } from './stored-metadata.ts'

/** Returns a sentence for each part that differs; only the first of each kind, because further ones have the same
 *  cause. Throws DataError('block_corrupt') if an entry cannot be read. */
export function findingDamage(databases: Databases): string[] {
  const checks = VENUES.flatMap((venue) => [
    () => daysDamage(databases, venue),
    () => marketsDamage(databases, venue),
    () => membersDamage(databases, venue),
    () => postingsDamage(databases, venue),
  ])
  return checks.flatMap((check) => check() ?? [])
}

const differs = (what: string): string => `The index behind ${what} differs from what is stored`

function daysDamage(databases: Databases, venue: Venue): string | undefined {
  const sums = new Map<string, DaySums>()
  let rows = 0
  for (const { key, value } of databases.heads.getRange({ start: [venue, ''], end: [venue, KEY_END] })) {
    const partition: PartitionKey = { venue, market: String(key[1]), date: String(key[2]) }
    const figures = totalsOf(openHead(partition, value))
    sums.set(partition.date, changedSums(sums.get(partition.date) ?? NO_SUMS, null, figures))
    const columns = getPacked<DayColumns>(databases, 'finding', daysKey(partition))
    const at = columns?.[0].indexOf(partition.market) ?? -1
    const row = columns?.map((column) => column[at])
    if (at < 0 || !Bun.deepEquals(row, [...rowOf(partition.market, figures)])) {
      return differs(`markets/active on ${partition.date}`)
    }
    rows++
  }
  const stored = new Map(readSums(databases, venue).map(({ date, ...sum }) => [date, sum]))
  const [first] = [...new Set([...sums.keys(), ...stored.keys()])].filter(
    (date) => !Bun.deepEquals(sums.get(date), stored.get(date)),
  )
  if (first !== undefined) return differs(`calendar on ${first}`)
  const listed = [...databases.finding.getKeys({ start: ['days', venue, ''], end: ['days', venue, KEY_END] })]
  const count = listed.reduce((sum, key) => sum + getPacked<DayColumns>(databases, 'finding', key)![0].length, 0)
  return count === rows ? undefined : differs('markets/active')
}

/** Returns the stored markets and those with metadata, each with its last stored date; null if it has no records. */
function knownMarkets(databases: Databases, venue: Venue): Map<string, string | null> {
  const known = new Map<string, string | null>()
  const metadata = { start: ['market', venue, ''], end: ['market', venue, KEY_END] }
  for (const key of databases.metadata.getKeys(metadata)) known.set(String(key[2]), null)
  for (const { key, value } of databases.markets.getRange({ start: [venue, ''], end: [venue, KEY_END] })) {
    known.set(String(key[1]), openMarket(key as string[], value).lastDate)
  }
  return known
}

function marketsDamage(databases: Databases, venue: Venue): string | undefined {
  const known = knownMarkets(databases, venue)
  const days = readLastDays(databases, venue, countOf(databases, venue))
  for (const [market, lastDate] of known) {
    const number = numberOf(databases, venue, market)
    const isSame =
      number !== undefined && nameOf(databases, venue, number) === market && days[number] === dayOf(lastDate)
    if (!isSame) return differs(`search about the ${venue} market ${market}`)
  }
  return days.reduce((sum, day) => sum + (day === GONE ? 0 : 1), 0) === known.size ? undefined : differs('search')
}

function membersDamage(databases: Databases, venue: Venue): string | undefined {
  let named = 0
  const metadata = { start: ['market', venue, ''], end: ['market', venue, KEY_END] }
  for (const key of databases.metadata.getKeys(metadata)) {
    const market = String(key[2])
    const event = descriptionOf(databases, 'market', venue, market)?.card.event ?? null
    if (event === null) continue
    named++
    if (databases.finding.get(memberKey(venue, event, market)) === undefined) return differs(`the event ${event}`)
  }
  const events = { start: ['event', venue, ''], end: ['event', venue, KEY_END] }
  for (const key of databases.metadata.getKeys(events)) descriptionOf(databases, 'event', venue, String(key[2]))
  const members = { start: ['member', venue, ''], end: ['member', venue, KEY_END] }
  return databases.finding.getKeysCount(members) === named ? undefined : differs('events')
}

/** Compares a sum over the postings of each market, so that their order does not matter. */
function postingsDamage(databases: Databases, venue: Venue): string | undefined {
  const sums = new Float64Array(countOf(databases, venue))
  for (const { key, number, begins, rest } of allPostings(databases, venue)) sums[number]! += hash(key, begins, rest)
  for (const market of knownMarkets(databases, venue).keys()) {
    const number = numberOf(databases, venue, market)!
    const { card, event } = cardsOf(databases, venue, market)
    const [first] = wordsOf(market)
    const postings = postingsOf(venue, marketWords(market, card, event), first)
    for (const { key, begins, rest } of postings.values()) sums[number]! -= hash(key, begins, rest)
  }
  return sums.every((sum) => sum === 0) ? undefined : differs('search')
}

/** 32 bits, so that sums stay exact. */
const hash = (key: Key, begins: boolean, rest: number): number => Bun.hash.xxHash32(`${String(key)} ${begins} ${rest}`)
