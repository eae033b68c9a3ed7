// The streams and the environment of the command that runs: those of the process, unless its caller gives others.

import { AsyncLocalStorage } from 'node:async_hooks'

export type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>

const given = new AsyncLocalStorage<Terminal>()

export const terminal = (): Terminal => given.getStore() ?? process

/** Runs `work` with streams and an environment of its own, and all that it calls and awaits. */
export const onTerminal = <T>(own: Terminal, work: () => T): T => given.run(own, work)
