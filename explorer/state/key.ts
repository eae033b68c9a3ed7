// The reader's key. It is kept for the session, or on this device where the reader says so, and never in an address: a
// link that brings one (`#key=…`, which browsers do not send) loses it at once.

import { signal } from '@preact/signals'

const NAME = 'backbook-key'

export const key = signal<string | null>(taken() ?? sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME))

/** Reloads the page if the user opens a link with a key while the same page is open. The browser itself would only
 *  change the fragment. After the reload, nothing is left that another key has shown. */
addEventListener('hashchange', () => {
  if (taken() !== null) location.reload()
})

/** Whether the server answered without a key: then none is asked for. */
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
