// The error for everything that the user can correct, and the exit codes of the program.

/** The exit codes, which callers may rely on. --help and docs/commands.md list them. */
export const EXIT = { done: 0, failed: 1, usage: 2, notStored: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error to print as one line, and the exit code of the program. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode) {
    super(message)
    this.exitCode = exitCode
  }
}
