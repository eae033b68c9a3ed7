// Puts a market or an event on the watch list, and takes it off.

import { type Listed, watched } from '../find/device-list.ts'

/** `isShort`: the star alone, where many stand in a list. */
export function WatchButton({ item, isShort = false }: { item: Listed; isShort?: boolean }) {
  const isWatched = watched.has(item)
  const name = item.title ?? ('event' in item ? item.event : item.market)
  return (
    <button
      type="button"
      class="watch plain"
      aria-pressed={isWatched}
      aria-label={isShort ? `Watch ${name}` : undefined}
      onClick={() => (isWatched ? watched.remove(item) : watched.put(item))}
    >
      <span aria-hidden="true">{isWatched ? '★' : '☆'}</span>
      {!isShort && ' Watch'}
    </button>
  )
}
