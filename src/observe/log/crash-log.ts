// Logs an uncaught error. Then ends the process, as the runtime would.

import type { Log } from './log.ts'

export function logCrashes(log: Pick<Log, 'fatal'>): void {
  const end = (error: unknown) => {
    log.fatal({ error }, 'an error was not caught: the process ends')
    process.exit(1)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}
