// Keys that do something. Whoever is on the page adds its own while it is there; the dialog of keys lists them all.

import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

export type Shortcut = {
  /** As `KeyboardEvent.key` has it, with `Control+` before it where that is held, and `Shift+` before keys with a name:
   *  those of a letter or sign are another key with it. A gesture of the pointer, `Shift+drag`, is listed too. */
  keys: readonly string[]
  label: string
  run: () => void
}

const NAME = 'backbook-keys'
/** Readers who speak to their computer may switch single letters off (WCAG 2.1.4). */
export const areKeysOn = signal(localStorage.getItem(NAME) !== 'off')

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn
  localStorage.setItem(NAME, isOn ? 'on' : 'off')
}

const groups = signal<readonly (readonly Shortcut[])[]>([])

/** All of what is on the page, in the order in which it came. */
export const shortcuts = (): readonly Shortcut[] => groups.value.flat()

/** For as long as the component is there. A list made anew each time it is drawn sees the state of then; one that is
 *  kept must ask for it. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useLayoutEffect(() => {
    groups.value = [...groups.peek(), shortcuts]
    return () => {
      groups.value = groups.peek().filter((each) => each !== shortcuts)
    }
  }, [shortcuts])
}

/** Keys that are typed into a field are the field's, and those of a dialog are not the page's behind it. */
const TYPING = 'input, textarea, select, [contenteditable], dialog'
/** Space and Enter press these. */
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
