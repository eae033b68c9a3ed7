// The open dialog; there is at most one.

import { signal } from '@preact/signals'

export type DialogName = 'search' | 'key' | 'shortcuts'

export const openDialog = signal<DialogName | null>(null)

export const showDialog = (name: DialogName): void => {
  openDialog.value = name
}

export const closeDialog = (): void => {
  openDialog.value = null
}
