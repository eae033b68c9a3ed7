// A terminal for the code of commands: streams that store what is written, and an environment.

import { onTerminal, type Terminal } from '../../../src/commands/terminal/terminal.ts'

/** Runs `work`. Returns what it wrote to each stream, and its result. */
export function written<T>(work: () => T, { isTTY = false, env = {} as Record<string, string> } = {}) {
  const streams = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof streams) => ({
    isTTY,
    write(text: string) {
      streams[name] += text
      return true
    },
  })
  const terminal = { stdin: {}, stdout: stream('stdout'), stderr: stream('stderr'), env } as unknown as Terminal
  const result = onTerminal(terminal, work)
  return { ...streams, result }
}
