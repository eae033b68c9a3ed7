// Prints the ready lines of a server or recorder on stdout.

import type { Config } from '../../config/config.ts'
import { createLog } from '../../observe/log/log.ts'

/** Prints one JSON log entry with `--log-format json`, else plain lines. */
export function printReady({ logFormat }: Pick<Config, 'logFormat'>, lines: readonly string[]): void {
  const print = (text: string) => void process.stdout.write(text)
  if (logFormat !== 'json') return print(`${lines.join('\n')}\n`)
  createLog({ format: 'json', write: print }).info(lines.join(' '))
}
