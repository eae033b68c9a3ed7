// What an operator must mend before the program can start, in one line.

/** The message never repeats the value of a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
