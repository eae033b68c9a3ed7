// An error in the configuration, as one line: the operator must fix it before the program can start.

import { CommandError, EXIT } from '../command-error.ts'

/** The message never contains the value of a secret. */
export class ConfigError extends CommandError {
  override readonly name = 'ConfigError'

  constructor(message: string) {
    super(message, EXIT.usage)
  }
}
