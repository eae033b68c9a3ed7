// What a commit changes beside its rows: sums of dates, and what markets are found by.

import type { TransactionSQL } from 'bun'
import type { RowChange } from '../database/cluster-database.ts'

export type TakenChange = RowChange & { wasStored: boolean; isStored: boolean }

export async function noteCommit(_sql: TransactionSQL, _taken: TakenChange[]): Promise<void> {}
