// Creates the data folder of a server or recorder, before anything in it is opened.

import { mkdirSync } from 'node:fs'
import { CommandError, EXIT } from '../terminal/program.ts'

/** Errors for paths that can never be a folder, whatever the user's rights. */
const WRONG_PATH: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file',
  ENOTDIR: 'there is a file on the way to it',
}

/** Throws CommandError. */
export function makeDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const wrong = WRONG_PATH[code]
    const given = `the data folder must be a folder, or where one can be made, got ${JSON.stringify(path)}`
    throw new CommandError(`${given}: ${wrong ?? message}`, wrong === undefined ? EXIT.failed : EXIT.usage)
  }
}
