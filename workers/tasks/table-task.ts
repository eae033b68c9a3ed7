// A task that answers with rows: a table, in the format that its caller wants.

import type { Store } from '../../storage/open-store.ts'
import { encodeTable, type TableEncoding } from '../table/encode-table.ts'
import type { Table } from '../table/table.ts'
import type { Task } from '../task.ts'

/** JSON unless an encoding is given. */
export type InFormat<Request> = Request & { encoding?: TableEncoding }

/** A table with its head. `about` has envelope values that only the answer knows; in arrow and parquet they are
 *  metadata, after the caller's. */
export type TableAnswer<Head> = { head: Head; table: Table; about?: Readonly<Record<string, unknown>> }

export type TableTask<Request, Head extends object> = Task<InFormat<Request>, Head> & {
  /** Returns the table, for callers that want rows instead of bytes. If `names` is given, other columns are not
   *  read. */
  table(store: Store, request: Request, names?: readonly string[]): Promise<TableAnswer<Head>>
}

export function tableTask<Request, Head extends object>(
  task: Pick<TableTask<Request, Head>, 'name' | 'table'> & { weight(request: Request): number },
): TableTask<Request, Head> {
  return {
    ...task,
    async answer(store, { encoding = { format: 'json' }, ...request }) {
      const { head, table, about } = await task.table(store, request as unknown as Request, encoding.columns)
      // If the table is one of many, its own values do not apply to all of them, so they are left out.
      const metadata = { ...encoding.metadata, ...(encoding.part === undefined ? about : {}) }
      return { head, chunks: await encodeTable(table, { ...encoding, metadata }) }
    },
  }
}
