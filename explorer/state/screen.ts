// The height of the browser's window, px.

import { signal } from '@preact/signals'

export const screenHeight = signal(innerHeight)

addEventListener('resize', () => {
  screenHeight.value = innerHeight
})
