// Keys of rows: a letter for the kind of the row, then names, each ended by a zero byte, so that keys are in the order
// of their names. A zero byte within a name is followed by 0xff. Dates are YYYY-MM-DD, numbers are digits.
//
//   m venue market              entry of the market: first and last date, counts, revision
//   r venue market              entry of a market that lost all its days: their revisions are not used again
//   k venue market              number of a known market, whether it has records, whether it has metadata
//   n venue number              name of the market
//   t venue part                newest days of 512 markets
//   w venue term part           numbers of the markets that have a word
//   d venue market date         head of the partition, and the places of its parts if they are in objects
//   b venue market date id      a block of the partition    } if the parts are in rows
//   p venue market date part    another part, or the books  }
//   a venue date market         counts of the partition, by date
//   s venue date shard          sums of the date
//   v venue shard               counters of the venue
//   c venue market              metadata of the market
//   e venue event               metadata of the event
//   x venue event market        present if the metadata of the market names the event
//   u venue market date         audits
//   l source name               a loaded file of an archive
//   g kind slug                 answer about a slug of an event or a market
//   z name                      a value of the whole store
//
// If the parts are in objects:
//
//   o object                    bytes of the object, and how many partitions have parts in it
//   q object                    an object that no partition has parts in any more
//   y shard                     count and bytes of objects
//   h venue date market         present while the partition's parts wait to be moved together
//
// A shard belongs to one writer, so that writers of a cluster seldom change the same row; a folder has one shard.

import type { PartitionKey } from '../partition-key.ts'
import type { Venue } from '../venue.ts'
import type { KeyRange, RowKey } from './rows.ts'

export type RowKind =
  | ('m' | 'r' | 'k' | 'n' | 't' | 'w' | 'd' | 'b' | 'p')
  | ('a' | 's' | 'v' | 'c' | 'e' | 'x' | 'u' | 'l' | 'g' | 'z')
  | ('o' | 'q' | 'y' | 'h')

const END = '\0'
const ESCAPED_END = '\0\xff'
/** Greater than every byte that can follow the same names in a key. */
const LAST = '\xff'
/** Matches names of printable ASCII characters, as nearly all names are. */
const PLAIN = /^[ -~]*$/

/** Returns the key with these names, in UTF-8. */
export function keyOf(kind: RowKind, ...names: readonly string[]): RowKey {
  let key: string = kind
  for (const name of names) key += (PLAIN.test(name) ? name : bytesOf(name)) + END
  return key
}

const bytesOf = (name: string): string => Buffer.from(name, 'utf8').toString('latin1').replaceAll(END, ESCAPED_END)
const nameOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

/** Returns the names of a key. */
export function namesOf(key: RowKey): string[] {
  // If a damaged key does not end with `END`, its last name is wrong, and no value is sealed with this name.
  const names = (key.endsWith(END) ? key.slice(1, -1) : key.slice(1)).split(END)
  if (PLAIN.test(names.join(''))) return names
  const whole: string[] = []
  for (const name of names) {
    if (name.startsWith(LAST)) whole.push(`${whole.pop()}${END}${name.slice(1)}`)
    else whole.push(name)
  }
  return whole.map(nameOf)
}

/** Returns the last name of a key in a range that `below` returned. The key has one name more than the range. Faster
 *  than `namesOf`. */
export function lastNameOf(key: RowKey, { from }: KeyRange): string {
  const bytes = key.slice(from.length, -1)
  return PLAIN.test(bytes) && key.endsWith(END) ? bytes : namesOf(key).at(-1)!
}

/** Returns a key that is greater than this key and all keys that begin with its names, and smaller than all later keys
 *  with other names. */
export const after = (key: RowKey): RowKey => key + LAST

/** Returns the range of this key and of all keys that begin with its names. */
export const below = (key: RowKey): KeyRange => ({ from: key, to: after(key) })

/** Returns the range of the keys that begin with `names` and whose next name begins with `prefix`. */
export function beginningWith(kind: RowKind, names: readonly string[], prefix: string): KeyRange {
  const from = keyOf(kind, ...names, prefix).slice(0, -1)
  return { from, to: after(from) }
}

/** Returns the range of the keys that begin with `names` and whose next name is a date in `range`. Without `range`,
 *  includes all dates. */
export function datesIn(kind: RowKind, names: readonly string[], range?: { from: string; to: string }): KeyRange {
  if (range === undefined) return below(keyOf(kind, ...names))
  return { from: keyOf(kind, ...names, range.from), to: after(keyOf(kind, ...names, range.to)) }
}

/** The secret that cursors are signed with. */
export const SECRET_KEY = keyOf('z', 'cursor_secret')
export const entryKey = (venue: Venue, market: string): RowKey => keyOf('m', venue, market)
export const removedKey = (venue: Venue, market: string): RowKey => keyOf('r', venue, market)
/** Returns whether a row is the entry of a market, with or without days. */
export const isEntryKey = (key: RowKey): boolean => key[0] === 'm' || key[0] === 'r'
export const knownKey = (venue: Venue, market: string): RowKey => keyOf('k', venue, market)
export const dayKey = ({ venue, market, date }: PartitionKey): RowKey => keyOf('d', venue, market, date)
export const dateKey = ({ venue, market, date }: PartitionKey): RowKey => keyOf('a', venue, date, market)
export const auditsKey = ({ venue, market, date }: PartitionKey): RowKey => keyOf('u', venue, market, date)
export const uncompactedKey = ({ venue, market, date }: PartitionKey): RowKey => keyOf('h', venue, date, market)
export const sumsKey = (venue: Venue, date: string, shard: string): RowKey => keyOf('s', venue, date, shard)
export const countersKey = (venue: Venue, shard: string): RowKey => keyOf('v', venue, shard)
