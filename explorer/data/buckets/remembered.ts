// Caches what is computed from a window, so that the result stays the same object: drawing compares by identity.

/** Calls `make` again only if `key` differs from the last call for the same value. */
export function remembered<T extends object>(make: (value: T, key: number) => T): (value: T, key: number) => T {
  const cached = new WeakMap<T, { key: number; made: T }>()
  return (value, key) => {
    const before = cached.get(value)
    if (before?.key === key) return before.made
    const made = make(value, key)
    cached.set(value, { key, made })
    return made
  }
}
