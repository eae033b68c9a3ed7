// Events of an element, listened to together. A listener may keep the browser from what it does by itself.

/** Returns what ends it. */
export function listen(element: HTMLElement, listeners: Readonly<Record<string, (event: never) => void>>): () => void {
  const all = Object.entries(listeners) as [string, EventListener][]
  for (const [name, run] of all) element.addEventListener(name, run, { passive: false })
  return () => {
    for (const [name, run] of all) element.removeEventListener(name, run)
  }
}
