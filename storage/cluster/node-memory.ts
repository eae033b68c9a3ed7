// Creates the memory that the threads of a node share.

import type { NodeMemory } from '../store.ts'
import { heardMemory } from './heard.ts'
import { figuresMemory } from './node-figures.ts'

export const nodeMemory = (): NodeMemory => ({ heard: heardMemory(), figures: figuresMemory() })
