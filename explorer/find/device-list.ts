// A list saved on this device, newest first, which all tabs share.

import { signal } from '@preact/signals'
import { savedJson } from '../state/saved-json.ts'

type Kind<T> = {
  /** Returns whether a saved value is an item of the list. Other values, which another version or another program
   *  wrote, are dropped. */
  isItem: (each: unknown) => boolean
  /** Returns the name of an item. Items with the same name count as the same item. */
  nameOf: (item: T) => string
  countMax?: number
}

export function deviceList<T>(list: string, { isItem, nameOf, countMax = Infinity }: Kind<T>) {
  const saved = (): readonly T[] => {
    const all = savedJson(list)
    return Array.isArray(all) ? all.filter(isItem) : []
  }
  const items = signal(saved())
  addEventListener('storage', () => {
    items.value = saved()
  })
  /** Starts from the saved list, because another tab may have changed it. */
  const change = (next: (all: readonly T[]) => T[]) => {
    items.value = next(saved()).slice(0, countMax)
    localStorage.setItem(list, JSON.stringify(items.value))
  }
  const without = (all: readonly T[], item: T) => all.filter((each) => nameOf(each) !== nameOf(item))
  return {
    get items(): readonly T[] {
      return items.value
    },
    has: (item: T): boolean => without(items.value, item).length < items.value.length,
    /** Puts an item first, and removes its earlier entry. */
    put: (item: T) => change((all) => [item, ...without(all, item)]),
    remove: (item: T) => change((all) => without(all, item)),
    clear: () => change(() => []),
  }
}
