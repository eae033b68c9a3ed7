// Creates the memory that the threads of a node share.

import type { NodeMemory } from '../store.ts'
import { noticeMemory } from './change-notices.ts'
import { counterMemory } from './node-counters.ts'

export const nodeMemory = (): NodeMemory => ({ notices: noticeMemory(), counters: counterMemory() })
