// What is made of a window, made once: what is drawn compares by identity.

/** `make` is called again where `key` is another one than last time. */
export function remembered<T extends object>(make: (value: T, key: number) => T): (value: T, key: number) => T {
  const kept = new WeakMap<T, { key: number; made: T }>()
  return (value, key) => {
    const before = kept.get(value)
    if (before?.key === key) return before.made
    const made = make(value, key)
    kept.set(value, { key, made })
    return made
  }
}
