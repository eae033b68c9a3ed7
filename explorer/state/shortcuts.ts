// Keyboard shortcuts. Components register theirs while they are mounted; the shortcuts dialog lists them all.

import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

export type Shortcut = {
  /** Values of `KeyboardEvent.key`. The prefix `Control+` means that Control is held. The prefix `Shift+` is used for
   *  named keys only, because a letter or sign with Shift is a different key. A pointer gesture such as `Shift+drag` is
   *  listed too. */
  keys: readonly string[]
  label: string
  run: () => void
}

const NAME = 'backbook-keys'
/** Readers who use speech input can switch single letters off (WCAG 2.1.4). */
export const areKeysOn = signal(localStorage.getItem(NAME) !== 'off')

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn
  localStorage.setItem(NAME, isOn ? 'on' : 'off')
}

const groups = signal<readonly (readonly Shortcut[])[]>([])

/** Returns all shortcuts on the page, in the order in which they were registered. */
export const shortcuts = (): readonly Shortcut[] => groups.value.flat()

/** Registers shortcuts while the component is mounted. A list that is built on each render sees the state of that
 *  render. The shortcuts of a memoised list must read the state when they run. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useLayoutEffect(() => {
    groups.value = [...groups.peek(), shortcuts]
    return () => {
      groups.value = groups.peek().filter((each) => each !== shortcuts)
    }
  }, [shortcuts])
}

/** Keys typed into a field belong to the field, and keys in a dialog do not reach the page behind it. */
const TYPING = 'input, textarea, select, [contenteditable], dialog'
/** Space and Enter press these elements. */
const PRESSED = 'button, a[href], summary'

addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement
  if (event.defaultPrevented || event.altKey || event.metaKey || target.closest(TYPING) !== null) return
  const shift = event.shiftKey && event.key.length > 1 ? 'Shift+' : ''
  const pressed = `${event.ctrlKey ? 'Control+' : ''}${shift}${event.key}`
  if ((event.key === ' ' || event.key === 'Enter') && target.closest(PRESSED) !== null) return
  if (!areKeysOn.value && pressed.length === 1) return
  const found = shortcuts().find(({ keys }) => keys.includes(pressed))
  if (found === undefined) return
  event.preventDefault()
  found.run()
})
