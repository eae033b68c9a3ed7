// The log of the server on stderr: JSON, or text for a terminal. Lines are written at once and in order, so that the
// last line before a crash is there. Secrets are removed from every line.

import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import pino, { type Logger } from 'pino'
import type { LogFormat, LogLevel } from './log-settings.ts'
import { lineForTerminal } from './terminal-line.ts'
import { secretRemover } from './without-secrets.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  /** For text that is cut before it is logged: part of a secret would no longer look like one. */
  withoutSecrets: (text: string) => string
}

export type LogSettings = {
  level?: LogLevel
  /** Null for text on a terminal and JSON elsewhere. */
  format?: LogFormat | null
  /** Never written. */
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

/** The server goes on when the log cannot be written: a full disk, a closed pipe. */
function toStderr(line: string): void {
  try {
    const bytes = Buffer.from(line)
    for (let written = 0; written < bytes.length; ) written += writeSync(STDERR, bytes, written)
  } catch {
    // There is nowhere to report it.
  }
}

/** Includes the causes. Other properties are left out, since a library may keep a whole request in them. */
function describedError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const causes = cause === undefined ? {} : { cause: describedError(cause) }
  return { type: name, message, ...code, stack, ...causes }
}
