// Writes the sections of record.toml that select markets and events to record.

import { VENUES } from '../state/view.ts'
import type { Venue } from '../venues.ts'

/** `list` is the name of the setting: `tickers`, `events`, `slugs` or `asset_ids`. */
export type Selected = { venue: Venue; list: string; ids: readonly string[] }

/** Returns an empty text if nothing is selected: the recorder rejects a section without a market. */
export function recordToml(selected: readonly Selected[]): string {
  const sections = VENUES.flatMap((venue) => {
    const own = selected.filter((each) => each.venue === venue && each.ids.length > 0)
    const lines = [...Map.groupBy(own, ({ list }) => list)].map(([list, some]) => {
      // A JSON list of strings is also a valid TOML list.
      return `${list} = ${JSON.stringify([...new Set(some.flatMap(({ ids }) => ids))], null, 2)}\n`
    })
    return lines.length === 0 ? [] : [`[${venue}]\n${lines.join('')}`]
  })
  return sections.join('\n')
}
