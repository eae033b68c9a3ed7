// The log of the server on stderr: JSON, or text for a terminal. Writes lines synchronously and in order, so that the
// last line before a crash is not lost. Removes secrets from every line.

import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import pino, { type Logger } from 'pino'
import type { LogFormat, LogLevel } from './log-settings.ts'
import { lineForTerminal } from './terminal-line.ts'
import { secretRemover } from './without-secrets.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  /** Removes secrets from text that is cut before it is logged: part of a secret would not be recognised. */
  withoutSecrets: (text: string) => string
}

export type LogSettings = {
  level?: LogLevel
  /** Null writes text on a terminal and JSON elsewhere. */
  format?: LogFormat | null
  /** Secrets that must never be written. */
  secrets?: readonly (string | null)[]
  write?: (line: string) => void
}

const STDERR = 2

export const isJson = (format: LogFormat | null): boolean => (format ?? (isatty(STDERR) ? 'text' : 'json')) === 'json'

export function createLog({ level = 'info', format = null, secrets = [], write = toStderr }: LogSettings = {}): Log {
  const withoutSecrets = secretRemover(secrets)
  const shown = isJson(format) ? (line: string) => line : lineForTerminal
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      errorKey: 'error',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      serializers: { error: describedError },
    },
    { write: (line: string) => write(shown(withoutSecrets(line))) },
  )
  return Object.assign(logger, { withoutSecrets })
}

/** Writes a line. The server continues if the log cannot be written, for example on a full disk or a closed pipe. */
function toStderr(line: string): void {
  try {
    const bytes = Buffer.from(line)
    for (let written = 0; written < bytes.length; ) written += writeSync(STDERR, bytes, written)
  } catch {
    // There is no place to report this.
  }
}

/** Describes an error with its causes. Leaves out other properties, because a library may store a whole request in
 *  them. */
function describedError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const causes = cause === undefined ? {} : { cause: describedError(cause) }
  return { type: name, message, ...code, stack, ...causes }
}
