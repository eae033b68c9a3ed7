// Lists of markets and events stored on the device: the recently viewed ones and the watch list.

import { signal } from '@preact/signals'
import { marketView, VENUES, type View } from '../state/view.ts'
import type { Venue } from '../venues.ts'

export type Listed = { venue: Venue; title: string | null } & ({ market: string } | { event: string })

function deviceList(name: string, countMax = Number.POSITIVE_INFINITY) {
  const items = signal(storedIn(name))
  addEventListener('storage', () => {
    items.value = storedIn(name)
  })
  /** Starts from the stored list, because another tab may have changed it. */
  const change = (next: (list: readonly Listed[]) => Listed[]) => {
    items.value = next(storedIn(name)).slice(0, countMax)
    localStorage.setItem(name, JSON.stringify(items.value))
  }
  return {
    /** Newest first. */
    get items(): readonly Listed[] {
      return items.value
    },
    has: (item: Listed): boolean => items.value.some(isSame(item)),
    /** Puts an item first, and removes its earlier entry. Takes over the earlier title if the item has none. */
    put: (item: Listed) =>
      change((list) => {
        const title = item.title ?? list.find(isSame(item))?.title ?? null
        return [{ ...item, title }, ...without(list, item)]
      }),
    remove: (item: Listed) => change((list) => without(list, item)),
    clear: () => change(() => []),
  }
}

/** Drops entries that another version or another program wrote. */
function storedIn(name: string): Listed[] {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? '[]') as unknown
    return Array.isArray(stored) ? stored.filter(isListed) : []
  } catch {
    return []
  }
}

export const nameOf = (item: Listed): string =>
  'event' in item ? `${item.venue} event ${item.event}` : `${item.venue} market ${item.market}`

const isSame = (item: Listed) => (each: Listed) => nameOf(each) === nameOf(item)

const without = (list: readonly Listed[], item: Listed) => list.filter((each) => nameOf(each) !== nameOf(item))

export const viewOf = (item: Listed): View =>
  'event' in item
    ? { page: 'event', venue: item.venue, event: item.event }
    : marketView({ venue: item.venue, market: item.market, asset: null })

function isListed(
  each: { venue?: unknown; market?: unknown; event?: unknown; title?: unknown } | null,
): each is Listed {
  const isText = typeof (each?.event ?? each?.market) === 'string'
  return (
    isText && (each?.title === null || typeof each?.title === 'string') && VENUES.some((venue) => venue === each.venue)
  )
}

const RECENT_MAX = 12

export const recent = deviceList('backbook-recent', RECENT_MAX)
export const watched = deviceList('backbook-watched')
