// The markets and events recently viewed on this device, and those on its watch list.

import { marketView, VENUES, type View } from '../state/view.ts'
import type { Venue } from '../venues.ts'
import { deviceList } from './device-list.ts'

export type Listed = { venue: Venue; title: string | null } & ({ market: string } | { event: string })

export const nameOf = (item: Listed): string =>
  'event' in item ? `${item.venue} event ${item.event}` : `${item.venue} market ${item.market}`

export const viewOf = (item: Listed): View =>
  'event' in item
    ? { page: 'event', venue: item.venue, event: item.event }
    : marketView({ venue: item.venue, market: item.market, asset: null })

function isItem(item: unknown): boolean {
  const each = item as { venue?: unknown; market?: unknown; event?: unknown; title?: unknown } | null
  const isText = typeof (each?.event ?? each?.market) === 'string'
  return (
    isText && (each?.title === null || typeof each?.title === 'string') && VENUES.some((venue) => venue === each.venue)
  )
}

export const recent = deviceList<Listed>('backbook-recent', { isItem, nameOf, countMax: 12 })
export const watched = deviceList<Listed>('backbook-watched', { isItem, nameOf })

/** Puts an item first in the recently viewed ones. If the item has no title, uses the title of its earlier entry. */
export function putRecent(item: Listed): void {
  const before = recent.items.find((each) => nameOf(each) === nameOf(item))
  recent.put({ ...item, title: item.title ?? before?.title ?? null })
}
