// A task that answers rows: a table, in the format that its caller wants.

import type { Store } from '../../storage/open-store.ts'
import { encodeTable, type TableEncoding } from '../table/encode-table.ts'
import type { Table } from '../table/table.ts'
import type { Task } from '../task.ts'

/** JSON unless an encoding is given. */
export type InFormat<Request> = Request & { encoding?: TableEncoding }

/** `about` is what the envelope says and only the answer knows: metadata of arrow and parquet, after the caller's. */
export type TableAnswer<Head> = { head: Head; table: Table; about?: Readonly<Record<string, unknown>> }

export type TableTask<Request, Head extends object> = Task<InFormat<Request>, Head> & {
  /** For callers that want the rows and no bytes. Where names of columns are given, the others are not read. */
  table(store: Store, request: Request, names?: readonly string[]): Promise<TableAnswer<Head>>
}

export function tableTask<Request, Head extends object>(
  task: Pick<TableTask<Request, Head>, 'name' | 'table'> & { weight(request: Request): number },
): TableTask<Request, Head> {
  return {
    ...task,
    async answer(store, { encoding = { format: 'json' }, ...request }) {
      const { head, table, about } = await task.table(store, request as unknown as Request, encoding.columns)
      // Of many tables none says for all of them what only it knows.
      const metadata = { ...encoding.metadata, ...(encoding.part === undefined ? about : {}) }
      return { head, chunks: await encodeTable(table, { ...encoding, metadata }) }
    },
  }
}
