// Passes columns of many rows as parameters of one statement.

import type { SQL, TransactionSQL } from 'bun'
import type { PartitionKey } from '../../../partition-key.ts'
import type { Venue } from '../../../venue.ts'
import { bytesOf } from './packed-values.ts'

export type Queryable = SQL | TransactionSQL

/** Builds the array as one text, which is faster than the runtime's own array. */
export const texts = <T>(sql: Queryable, rows: Iterable<T>, value: (row: T) => string) =>
  sql`${`{${Array.from(rows, (row) => quoted(value(row))).join(',')}}`}::text::text[]`

const SPECIAL = /["\\]/g
const quoted = (text: string): string => `"${text.replace(SPECIAL, '\\$&')}"`

export const blobs = <T>(sql: Queryable, rows: Iterable<T>, value: (row: T) => Uint8Array | null) =>
  sql.array(Array.from(rows, value), 'BYTEA')

/** Takes whole numbers, as numbers or texts. */
export const integers = <T>(sql: Queryable, rows: Iterable<T>, value: (row: T) => number | string | null) =>
  sql`${`{${Array.from(rows, (row) => value(row) ?? 'NULL').join(',')}}`}::text::bigint[]`

type Market = { venue: Venue; market: string }

/** A table `u` of markets, in the order of the rows; `n` counts from 1. */
export const marketTable = (sql: Queryable, rows: readonly Market[]) =>
  sql`unnest(${texts(sql, rows, ({ venue }) => venue)}, ${texts(sql, rows, ({ market }) => market)})
    WITH ORDINALITY AS u (venue, market, n)`

export const eventTable = (sql: Queryable, rows: readonly { venue: Venue; event: string }[]) =>
  sql`unnest(${texts(sql, rows, ({ venue }) => venue)}, ${blobs(sql, rows, ({ event }) => bytesOf(event))})
    AS u (venue, event)`

export const dayTable = (sql: Queryable, rows: readonly PartitionKey[]) =>
  sql`unnest(${texts(sql, rows, ({ venue }) => venue)}, ${texts(sql, rows, ({ market }) => market)},
    ${texts(sql, rows, ({ date }) => date)}::date[]) AS u (venue, market, date)`
