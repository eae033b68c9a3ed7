// A button that adds a market or event to the watch list, or removes it.

import { type Listed, watched } from '../find/listed.ts'

/** `isShort` shows only the star, for lists with many buttons. */
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
