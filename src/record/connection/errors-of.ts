// Errors of work that must not keep other work from running.

/** Runs `run` and returns what it threw, as a list of at most one. Calls `failed` then. */
export function errorsOf(run: () => void, failed?: () => void): unknown[] {
  try {
    run()
    return []
  } catch (error) {
    failed?.()
    return [error]
  }
}
