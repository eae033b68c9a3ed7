// Names the code that decides what a store holds: another revision of it has a store of its own.

import { sourceKey } from './source-key.ts'

export const storeKey = (): string => sourceKey('storage', 'workers', 'bun.lock')
