// A commit that holds a lease takes effect only while the lease is its holder's.

import type { TransactionSQL } from 'bun'
import { type Fence, FencedOut } from '../database/cluster-database.ts'

export async function holdFence(sql: TransactionSQL, { lease, holder, epoch }: Fence): Promise<void> {
  const [row] = await sql`
    SELECT 1 FROM leases WHERE lease = ${lease} AND holder = ${holder} AND epoch = ${epoch} FOR SHARE`
  if (row === undefined) throw new FencedOut(`the lease ${lease} is not held by ${holder} any more`)
}
