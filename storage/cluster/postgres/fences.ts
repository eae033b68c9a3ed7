// A commit that holds leases takes effect only while each is its holder's: whoever takes one waits for it.

import type { TransactionSQL } from 'bun'
import { type Fence, FencedOut } from '../../fence.ts'

/** In the order of their names, as everybody who locks several. */
export async function holdFences(sql: TransactionSQL, fences: readonly Fence[]): Promise<void> {
  if (fences.length === 0) return
  const wanted = JSON.stringify(fences)
  const rows: { lease: string; holder: string | null; epoch: string }[] = await sql`
    SELECT l.lease, l.holder, l.epoch FROM leases l
    WHERE l.lease IN (SELECT lease FROM jsonb_to_recordset(${wanted}::text::jsonb) AS f(lease text))
    ORDER BY l.lease FOR SHARE`
  const isHeld = ({ lease, holder, epoch }: Fence) =>
    rows.some((row) => row.lease === lease && row.holder === holder && Number(row.epoch) === epoch)
  const lost = fences.filter((fence) => !isHeld(fence))
  if (lost.length > 0) throw new FencedOut(lost)
}
