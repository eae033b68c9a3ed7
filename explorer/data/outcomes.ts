// The books of a market, each that of an outcome.

import type { BookId } from '../state/view.ts'
import type { Coverage, MarketInfo } from './answers.ts'

export type Outcome = { id: string; name: string }

/** As the venue names them, or the books that are stored. None on Kalshi, where a market is one book. */
export function outcomesOf({ venue }: BookId, info: MarketInfo | null, stored: Coverage | null): Outcome[] {
  if (venue !== 'polymarket') return []
  const named = (info?.outcomes ?? []).flatMap(({ asset_id: id, outcome: name }) => (id === null ? [] : [{ id, name }]))
  if (named.length > 0) return named
  const ids = (stored?.dates.at(-1)?.books ?? []).map((each) => ('asset_id' in each ? String(each.asset_id) : ''))
  return ids.filter(Boolean).map((id) => ({ id, name: `${id.slice(0, 8)}…` }))
}
