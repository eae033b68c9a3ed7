// Makes the lines that a test run prints at its end.

import { readFileSync } from 'node:fs'
import type { RunFile, RunOutcome } from './junit.ts'
import { MISSING } from './missing.ts'

const SLOWEST = 40
/** A file that takes longer gives the reason in its first line, as `// long: …`. */
const BUDGET_SECONDS = 20

/** Returns lines with the slowest files, the files that exceed their budget without a reason, the failures, and the
 *  counts. A long run has no budget. */
export function reportOf({ files, failures, passed, failed, skipped }: RunOutcome, isLong: boolean): string[] {
  const slowest = files.slice(0, SLOWEST).map(({ path, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${path}`)
  const beyond = files.filter((file) => !isLong && file.seconds > BUDGET_SECONDS && !givesReason(file))
  return [
    '',
    `the ${slowest.length} slowest of ${files.length} files:`,
    ...slowest,
    ...beyond.map(
      ({ path }) => `${path} takes more than ${BUDGET_SECONDS} s, and its first line is not "// long: why"`,
    ),
    '',
    ...failures.map((failure) => `failed: ${failure}`),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ]
}

const givesReason = ({ path }: RunFile) => readFileSync(path, 'utf8').startsWith('// long: ')

/** Returns a line that names what this machine lacked for skipped tests, from the output of the run. */
export function missingIn(printed: string): string {
  const lines = printed.split('\n').filter((line) => line.startsWith(MISSING))
  const names = [...new Set(lines.map((line) => line.slice(MISSING.length)))].sort()
  return names.length === 0 ? 'nothing was skipped for want of a tool' : `skipped for want of ${names.join('; ')}`
}
