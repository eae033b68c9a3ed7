// The reader's key. It is stored for the session, or on this device if the reader chooses so, and never stays in an
// address: a link with a key (`#key=…`, which browsers do not send) loses it at once.

import { signal } from '@preact/signals'

const NAME = 'backbook-key'

export const key = signal<string | null>(taken() ?? sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME))

/** Reloads the page if a link with a key is opened while the same page is open: the browser itself would only change
 *  the fragment. The reload removes everything that was loaded with another key. */
addEventListener('hashchange', () => {
  if (taken() !== null) location.reload()
})

/** Whether the server answered without a key, so that the page need not ask for one. */
export const isAccessOpen = signal(false)

export function useKey(next: string | null, { isForDevice = false } = {}): void {
  key.value = next
  sessionStorage.removeItem(NAME)
  localStorage.removeItem(NAME)
  if (next !== null) (isForDevice ? localStorage : sessionStorage).setItem(NAME, next)
}

export const isKeyOnDevice = (): boolean => localStorage.getItem(NAME) !== null && !sessionStorage.getItem(NAME)

function taken(): string | null {
  const found = new URLSearchParams(location.hash.slice(1)).get('key')
  if (found === null) return null
  history.replaceState(null, '', location.pathname + location.search)
  sessionStorage.setItem(NAME, found)
  return found
}
