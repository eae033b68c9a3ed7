// Adds several event listeners to an element at once. They are not passive, so a listener may prevent the default.

/** Returns a function that removes the listeners. */
export function listen(element: HTMLElement, listeners: Readonly<Record<string, (event: never) => void>>): () => void {
  const all = Object.entries(listeners) as [string, EventListener][]
  for (const [name, run] of all) element.addEventListener(name, run, { passive: false })
  return () => {
    for (const [name, run] of all) element.removeEventListener(name, run)
  }
}
