// The outcomes of a market; each has a book.

import { type BookId, NO } from '../state/view.ts'
import { SHOWN } from '../venues.ts'
import type { Coverage, MarketInfo } from './answers.ts'

/** `id` is the asset id of the book. */
export type Outcome = { id: string | null; name: string }

/** The outcomes of a market with one book. */
const SIDES: Outcome[] = [
  { id: null, name: 'Yes' },
  { id: NO, name: 'No' },
]

/** Returns the outcomes as the venue names them, or else an outcome for each stored book. */
export function outcomesOf({ venue }: BookId, info: MarketInfo | null, stored: Coverage | null): Outcome[] {
  if (!SHOWN[venue].hasAssets) return SIDES
  const named = (info?.outcomes ?? []).flatMap(({ asset_id: id, outcome: name }) => (id === null ? [] : [{ id, name }]))
  if (named.length > 0) return named
  const ids = (stored?.dates.at(-1)?.books ?? []).map((each) => ('asset_id' in each ? String(each.asset_id) : ''))
  return ids.filter(Boolean).map((id) => ({ id, name: `${id.slice(0, 8)}…` }))
}
