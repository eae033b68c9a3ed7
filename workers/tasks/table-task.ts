// Defines tasks that return rows as a table, in the format that the caller requests.

import type { Store } from '../../storage/open-store.ts'
import { encodeTable, type TableEncoding } from '../table/encode-table.ts'
import type { Table } from '../table/table.ts'
import type { Task } from '../task.ts'

/** A request with an optional encoding; the default is JSON. */
export type InFormat<Request> = Request & { encoding?: TableEncoding }

/** A table with its head. `about` holds envelope values that are known only once the answer is computed. In Arrow and
 *  Parquet, these values are metadata, after the caller's own metadata. */
export type TableAnswer<Head> = { head: Head; table: Table; about?: Readonly<Record<string, unknown>> }

export type TableTask<Request, Head extends object> = Task<InFormat<Request>, Head> & {
  /** Returns the table, for callers that need rows instead of bytes. If `names` is given, reads only these columns. */
  table(store: Store, request: Request, names?: readonly string[]): Promise<TableAnswer<Head>>
}

export function tableTask<Request, Head extends object>(
  task: Pick<TableTask<Request, Head>, 'name' | 'table'> & { weight(request: Request): number },
): TableTask<Request, Head> {
  return {
    ...task,
    async answer(store, { encoding = { format: 'json' }, ...request }) {
      const { head, table, about } = await task.table(store, request as unknown as Request, encoding.columns)
      // If the table is one of many, leave out its `about` values, because they do not apply to the other tables.
      const metadata = { ...encoding.metadata, ...(encoding.part === undefined ? about : {}) }
      return { head, chunks: await encodeTable(table, { ...encoding, metadata }) }
    },
  }
}
