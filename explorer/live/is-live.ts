// Whether the page follows its markets and is connected: then the time after the newest record is yet to come.

import { signal } from '@preact/signals'

export const isLive = signal(false)
