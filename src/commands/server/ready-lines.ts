// What a process that serves or records prints on stdout once it is ready.

import type { Config } from '../../config/config.ts'
import { createLog } from '../../observe/log/log.ts'

/** As one entry of a log where `--log-format json` asks for that. */
export function printReady({ logFormat }: Pick<Config, 'logFormat'>, lines: readonly string[]): void {
  const print = (text: string) => void process.stdout.write(text)
  if (logFormat !== 'json') return print(`${lines.join('\n')}\n`)
  createLog({ format: 'json', write: print }).info(lines.join(' '))
}
