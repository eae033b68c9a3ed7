// The dark or light theme, from the device or the reader's choice.

import { computed, signal } from '@preact/signals'

const NAME = 'backbook-theme'
const device = matchMedia('(prefers-color-scheme: dark)')

const deviceIsDark = signal(device.matches)
const chosen = signal<'dark' | 'light' | null>(localStorage.getItem(NAME) as 'dark' | 'light' | null)

device.addEventListener('change', ({ matches }) => {
  deviceIsDark.value = matches
})

export const isDark = computed(() => (chosen.value === null ? deviceIsDark.value : chosen.value === 'dark'))

/** Chooses a theme. A choice equal to the device's theme is not stored, so that the page follows the device again. */
export function chooseTheme(theme: 'dark' | 'light'): void {
  chosen.value = (theme === 'dark') === deviceIsDark.value ? null : theme
  if (chosen.value === null) localStorage.removeItem(NAME)
  else localStorage.setItem(NAME, theme)
  applyTheme()
}

export function applyTheme(): void {
  if (chosen.value === null) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen.value
}
