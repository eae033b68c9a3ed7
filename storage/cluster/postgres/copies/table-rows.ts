// The rows of a table as PostgreSQL itself writes and reads them (COPY, as text): every version reads what an older one
// wrote, and nothing of a value is lost.

import type { SQL, TransactionSQL } from 'bun'

/** `columns` in the order in which a copy has them. */
export type TableColumns = { name: string; columns: string[] }
export type CopiedTable = TableColumns & { rows: number }

type Rows = AsyncIterable<Uint8Array>
type OnBytes = (bytes: number) => void

/** Of those of these tables that the current schema has, in the given order. */
export async function columnsOf(sql: SQL | TransactionSQL, tables: readonly string[]): Promise<TableColumns[]> {
  const rows: { name: string; column: string }[] = await sql`
    SELECT c.relname AS name, a.attname AS column FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = current_schema() AND c.relkind = 'r'
    ORDER BY c.relname, a.attnum`
  return tables.flatMap((name) => {
    const columns = rows.filter((row) => row.name === name).map(({ column }) => column)
    return columns.length === 0 ? [] : [{ name, columns }]
  })
}

/** `take` gets all bytes, and decides how fast they come. */
export const copyTable = (
  sql: TransactionSQL,
  table: TableColumns,
  take: (rows: Rows) => Promise<void>,
  onBytes: OnBytes,
): Promise<number> => copyOut(sql, quotedTable(table), take, onBytes)

/** `what` is a table with its columns, or a query in brackets. Resolves to the number of rows. */
export async function copyOut(
  sql: TransactionSQL,
  what: string,
  take: (rows: Rows) => Promise<void>,
  onBytes: OnBytes,
): Promise<number> {
  const query = sql.unsafe(`COPY ${what} TO STDOUT`)
  const stream = query.readable()
  await take(
    (async function* () {
      for await (const chunk of stream) {
        onBytes(chunk.length)
        yield chunk
      }
    })(),
  )
  return Number((await query).count)
}

/** Puts rows into tables that were just made, in place of those that come with them. Throws Error where a copy is not
 *  of such tables. */
export async function fillTables(
  sql: TransactionSQL,
  names: readonly string[],
  copies: readonly CopiedTable[],
  rowsOf: (table: string) => Rows,
  onBytes: OnBytes,
): Promise<void> {
  const made = await columnsOf(sql, names)
  for (const { name, columns } of made) {
    const copy = copies.find((copy) => copy.name === name)
    if (copy === undefined || !Bun.deepEquals([...copy.columns].sort(), [...columns].sort())) {
      throw new Error(`the copy of the table ${name} has other columns than this program makes`)
    }
    await sql.unsafe(`DELETE FROM ${quoted(name)}`)
  }
  for (const { name } of made) {
    const copy = copies.find((copy) => copy.name === name)!
    const rows = await fillTable(sql, copy, rowsOf(name), onBytes)
    if (rows !== copy.rows) throw new Error(`the copy of the table ${name} has ${rows} rows, and ${copy.rows} are told`)
  }
}

/** Resolves to the number of rows, once PostgreSQL has taken them. */
async function fillTable(sql: TransactionSQL, table: TableColumns, rows: Rows, onBytes: OnBytes): Promise<number> {
  const query = sql.unsafe(`COPY ${quotedTable(table)} FROM STDIN`)
  const writer = query.writable().getWriter()
  try {
    for await (const chunk of rows) {
      await writer.write(chunk)
      onBytes(chunk.length)
    }
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    throw error
  }
  await writer.close()
  return Number((await query).count)
}

const quotedTable = ({ name, columns }: TableColumns): string => `${quoted(name)} (${columns.map(quoted).join(', ')})`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
