// The outcome of a run of the tests, read from the report that `bun test` writes in JUnit's form.

export type RunFile = { path: string; seconds: number }

/** `failures` are those tests, each as its file, line and name; in XML's escapes. */
export type RunOutcome = { passed: number; failed: number; skipped: number; files: RunFile[]; failures: string[] }

const FILE = /^ {2}<testsuite name="([^"]*)".* time="([\d.e+-]+)"/gm
const FAILURE = /<testcase name="([^"]*)"[^>]* file="([^"]*)" line="(\d+)"[^>]*[^/]>\s*<failure/g
const TOTAL = /<testsuites .*tests="(\d+)".*failures="(\d+)" skipped="(\d+)"/

/** Files are sorted by their time, slowest first. Throws where the report is not one. */
export function readJunit(report: string): RunOutcome {
  const total = TOTAL.exec(report)
  if (total === null) throw new Error(`expected a JUnit report, got "${report.slice(0, 100)}"`)
  const [tests, failed, skipped] = total.slice(1).map(Number) as [number, number, number]
  const files = [...report.matchAll(FILE)].map(([, path, seconds]) => ({ path: path!, seconds: Number(seconds) }))
  files.sort((a, b) => b.seconds - a.seconds)
  const failures = [...report.matchAll(FAILURE)].map(([, name, path, line]) => `${path}:${line} ${name}`)
  return { passed: tests - failed - skipped, failed, skipped, files, failures }
}
