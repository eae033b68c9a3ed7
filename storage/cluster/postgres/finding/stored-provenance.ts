// Stores provenance: one row per load. A writer locks the row of the stamp.

import type { TransactionSQL } from 'bun'
import { type ArchiveLoad, inOrder, loadName, NO_ORDER, type SourceOrder } from '../../../finding/provenance.ts'
import { blobs, type Queryable, texts } from './arrays.ts'
import { packed, unpacked } from './packed-values.ts'

async function changeStamp(sql: TransactionSQL): Promise<void> {
  await sql`UPDATE counters SET value = value + 1 WHERE name = 'provenance'`
}

export async function readStamp(sql: Queryable): Promise<number> {
  const [row] = await sql`SELECT value FROM counters WHERE name = 'provenance'`
  return Number(row.value)
}

/** Returns the loads by source and name. Throws RangeError for a load that the store cannot hold. */
export const namedLoads = (loads: readonly ArchiveLoad[]): Map<string, [name: string, load: ArchiveLoad]> =>
  new Map(
    loads.map((load) => {
      const name = loadName(load)
      return [`${load.source} ${name}`, [name, load]]
    }),
  )

export async function putLoads(sql: TransactionSQL, loads: ReturnType<typeof namedLoads>): Promise<void> {
  await changeStamp(sql)
  const rows = [...loads.values()]
  await sql`
    INSERT INTO loads (source, name, load)
    SELECT * FROM unnest(${texts(sql, rows, ([, { source }]) => source)}, ${texts(sql, rows, ([name]) => name)},
      ${blobs(sql, rows, ([, load]) => packed(load))})
    ON CONFLICT (source, name) DO UPDATE SET load = excluded.load`
}

export async function readLoads(sql: Queryable): Promise<ArchiveLoad[]> {
  const rows: { load: Uint8Array }[] = await sql`SELECT load FROM loads`
  return inOrder(rows.map(({ load }) => unpacked<ArchiveLoad>(load)))
}

/** Removes the loads of a source. Resolves to how many there were. */
export async function removeLoads(sql: TransactionSQL, source: string): Promise<number> {
  await changeStamp(sql)
  const removed = await sql`DELETE FROM loads WHERE source = ${source}`
  return removed.count
}

export async function readSourceOrder(sql: Queryable): Promise<SourceOrder> {
  const [row] = await sql`SELECT value FROM store WHERE name = 'source_order'`
  return row === undefined ? NO_ORDER : unpacked<SourceOrder>(row.value)
}

export async function putSourceOrder(sql: TransactionSQL, order: SourceOrder): Promise<void> {
  await sql`
    INSERT INTO store VALUES ('source_order', ${packed(order)}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`
}
