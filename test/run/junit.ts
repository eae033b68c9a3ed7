// The outcome of a test run, read from the JUnit report that `bun test` writes.

export type RunFile = { path: string; seconds: number }

/** `failures` holds the file, line and name of each failed test, with XML escapes. */
export type RunOutcome = { passed: number; failed: number; skipped: number; files: RunFile[]; failures: string[] }

const FILE = /^ {2}<testsuite name="([^"]*)".* time="([\d.e+-]+)"/gm
const FAILURE = /<testcase name="([^"]*)"[^>]* file="([^"]*)" line="(\d+)"[^>]*[^/]>\s*<failure/g
const TOTAL = /<testsuites .*tests="(\d+)".*failures="(\d+)" skipped="(\d+)"/

/** Returns the outcome, with the slowest files first. Throws if the text is not a JUnit report. */
export function readJunit(report: string): RunOutcome {
  const total = TOTAL.exec(report)
  if (total === null) throw new Error(`expected a JUnit report, got "${report.slice(0, 100)}"`)
  const [tests, failed, skipped] = total.slice(1).map(Number) as [number, number, number]
  const files = [...report.matchAll(FILE)].map(([, path, seconds]) => ({ path: path!, seconds: Number(seconds) }))
  files.sort((a, b) => b.seconds - a.seconds)
  const failures = [...report.matchAll(FAILURE)].map(([, name, path, line]) => `${path}:${line} ${name}`)
  return { passed: tests - failed - skipped, failed, skipped, files, failures }
}
