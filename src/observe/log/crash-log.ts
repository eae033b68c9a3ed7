// A bug that nobody caught ends the process, as it does without this; its last line is then in the log like the others.

import type { Log } from './log.ts'

export function logCrashes(log: Pick<Log, 'fatal'>): void {
  const end = (error: unknown) => {
    log.fatal({ error }, 'the process ends: an error was not caught')
    process.exit(1)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}
