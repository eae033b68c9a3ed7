// The streams and the environment of the running command: those of the process, unless its caller passes others.

import { AsyncLocalStorage } from 'node:async_hooks'

export type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>

const given = new AsyncLocalStorage<Terminal>()

export const terminal = (): Terminal => given.getStore() ?? process

/** Runs `work`, with all that it calls and awaits, on the given streams and environment. */
export const onTerminal = <T>(own: Terminal, work: () => T): T => given.run(own, work)
