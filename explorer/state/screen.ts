// How high the browser's window is, px.

import { signal } from '@preact/signals'

export const screenHeight = signal(innerHeight)

addEventListener('resize', () => {
  screenHeight.value = innerHeight
})
