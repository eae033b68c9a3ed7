// What a run of the tests prints at its end.

import { readFileSync } from 'node:fs'
import type { RunFile, RunOutcome } from './junit.ts'
import { MISSING } from './missing.ts'

const SLOWEST = 40
/** A file that takes longer gives the reason in its first line, as `// long: …`. */
const BUDGET_SECONDS = 20

/** The slowest files, those beyond their budget without a reason, the failures, and the counts. A long run has no budget. */
export function reportOf({ files, failures, passed, failed, skipped }: RunOutcome, isLong: boolean): string[] {
  const slowest = files.slice(0, SLOWEST).map(({ path, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${path}`)
  const beyond = files.filter((file) => !isLong && file.seconds > BUDGET_SECONDS && !saysWhy(file))
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

const saysWhy = ({ path }: RunFile) => readFileSync(path, 'utf8').startsWith('// long: ')

/** One line that names what tests were skipped for, from what they printed. */
export function missingIn(printed: string): string {
  const lines = printed.split('\n').filter((line) => line.startsWith(MISSING))
  const names = [...new Set(lines.map((line) => line.slice(MISSING.length)))].sort()
  return names.length === 0 ? 'nothing was skipped for want of a tool' : `skipped for want of ${names.join('; ')}`
}
