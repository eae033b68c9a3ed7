// An error in the configuration, as one line: the operator must fix it before the program can start.

/** The message never contains the value of a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
