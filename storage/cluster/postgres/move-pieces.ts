// Moves pieces of many days to another segment, in one transaction. The content of a day and its revision stay the
// same.

import type { TransactionSQL } from 'bun'
import type { Venue } from '../../venue.ts'
import type { Move } from '../database/cluster-database.ts'
import { changedIndex, openPieces, sealPieces } from '../segment/pieces.ts'
import { lockMarkets, nameOf } from './commit-rows.ts'
import type { Postgres } from './connection.ts'
import { dayTable } from './finding/arrays.ts'
import { countRows, nameSegment } from './segment-rows.ts'
import { tookEffect } from './took-effect.ts'

type StoredRow = { venue: Venue; market: string; date: string; pieces: Uint8Array; segments: string[] }

/** Resolves to the indexes of the moves that were refused because their rows have changed. */
export async function movePieces(
  postgres: Postgres,
  segment: { key: string; bytes: number },
  moves: readonly Move[],
): Promise<number[]> {
  let refused: number[] = []
  try {
    await postgres.write(async (sql) => {
      refused = await moveIn(sql, segment, moves)
    })
  } catch (error) {
    if (!(await tookEffect(postgres, segment.key, error))) throw error
  }
  return refused
}

async function moveIn(
  sql: TransactionSQL,
  segment: { key: string; bytes: number },
  moves: readonly Move[],
): Promise<number[]> {
  const id = await nameSegment(sql, segment)
  await lockMarkets(sql, [...new Map(moves.map((move) => [nameOf(move), move])).values()])
  const rows: StoredRow[] = await sql`
    SELECT d.venue, d.market, d.date::text AS date, d.pieces, d.segments::text[] AS segments FROM days d
    JOIN ${dayTable(sql, moves)} USING (venue, market, date)`
  const stored = new Map(rows.map((row) => [`${nameOf(row)} ${row.date}`, row]))
  const refused: number[] = []
  const changes: { before: string[]; after: string[] }[] = []
  const moved: { venue: Venue; market: string; date: string; segments: string[]; pieces: Uint8Array }[] = []
  for (const [index, move] of moves.entries()) {
    const { venue, market, date, before, put } = move
    const row = stored.get(`${nameOf(move)} ${date}`)
    if (row === undefined || Buffer.compare(row.pieces, before) !== 0) {
      refused.push(index)
      continue
    }
    const key = { venue, market, date }
    const pieces = openPieces(key, row.pieces)
    const after = changedIndex({ segments: row.segments, pieces }, { put, removed: [] }, id)
    changes.push({ before: row.segments, after: after.segments })
    moved.push({ ...key, segments: after.segments, pieces: sealPieces(key, after.pieces) })
  }
  if (moved.length === 0) return refused
  const rest = JSON.stringify(moved.map(({ pieces: _, ...each }) => each))
  await sql`
    UPDATE days d SET pieces = r.pieces, segments = r.segments, is_moved = true
    FROM ROWS FROM (
      jsonb_to_recordset(${rest}::text::jsonb) AS (venue text, market text, date date, segments bigint[]),
      unnest(${sql.array(
        moved.map(({ pieces }) => pieces),
        'BYTEA',
      )})
    ) AS r(venue, market, date, segments, pieces)
    WHERE d.venue = r.venue AND d.market = r.market AND d.date = r.date`
  await countRows(sql, changes)
  return refused
}
