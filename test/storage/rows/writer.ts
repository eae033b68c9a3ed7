// A process that commits the same number to many rows, then the next number, until it is killed. Prints `begun 7`
// before the commit of 7, and `done 7` after it. Its argument is the place of the rows, as JSON.

import { writeSync } from 'node:fs'
import { revisionOf } from '../../../storage/rows/rows.ts'
import { openAt, type RowsPlace } from './each-engine.ts'

export const NUMBERED = Array.from({ length: 200 }, (_, index) => `number ${String(index).padStart(3, '0')}`)
const FIRST = NUMBERED[0]!

export const numberOf = (value: Uint8Array | undefined): number =>
  value === undefined ? 0 : Number(Buffer.from(value).toString('latin1'))
const asValue = (number: number) => new Uint8Array(Buffer.from(String(number).padStart(8, '0'), 'latin1'))

if (import.meta.main) {
  const { rows } = await openAt(JSON.parse(process.argv[2]!) as RowsPlace)
  for (;;) {
    const [before] = await rows.get([FIRST], true)
    const number = numberOf(before) + 1
    writeSync(1, `begun ${number}\n`)
    const put = NUMBERED.map((key) => ({ key, value: asValue(number) }))
    const changed = await rows.commit({ expect: [{ key: FIRST, revision: revisionOf(before) }], put, remove: [] })
    // The last commit of a killed writer may arrive only now. Then this commit is refused.
    if (changed.length === 0) writeSync(1, `done ${number}\n`)
  }
}
