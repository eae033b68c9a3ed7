// `ingest` is killed repeatedly in one data folder, and finally runs to its end. After a kill, each partition is as
// before a commit or as after it. In the end, the store equals that of one uninterrupted load.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { storeFile } from '../../../../storage/lmdb/environment.ts'
import type { Round } from '../../topic.ts'
import { type Captures, copyData, leftovers } from './crashing-captures.ts'
import { runAndKill, runProgram } from './killed-program.ts'
import { assertAmong, isSame, stateOf } from './store-state.ts'

const KILLS_MAX = 6
/** Number of kills in the smoke. At least one falls within the load, however busy the machine is. */
const SMOKE_KILLS = 3

export async function killedLoad({ random, tally, folder, isSmoke }: Round, captures: Captures): Promise<void> {
  const { files, before, stages } = captures
  const data = join(folder, 'loaded')
  const words = ['ingest', '--data', data, ...files]
  copyData(before, data)
  for (let kill = isSmoke ? SMOKE_KILLS : random.between(1, KILLS_MAX); kill > 0; kill--) {
    const behind = random.chance(0.6) ? { path: storeFile(data), changesMax: isSmoke ? 1 : 12 } : undefined
    if (!(await runAndKill(words, random, behind)).isKilled) {
      tally.add('loads that ended before the kill')
      continue
    }
    tally.add('kills of ingest')
    const changed = assertAmong(await stateOf(data), stages)
    if (changed > 0 && changed < differing(captures)) tally.add('loads killed between two commits')
  }
  await runProgram(words)
  if (!isSame(await stateOf(data), stages.at(-1)!)) throw new Error('the repeated load is not what one alone would be')
  const report = JSON.parse(await runProgram([...words, '--json'])) as { records_added: number }
  if (report.records_added !== 0) throw new Error(`a load of what is stored added ${report.records_added} records`)
  const left = leftovers(data)
  if (left.length > 0) throw new Error(`killed loads left ${left.join(', ')}`)
  rmSync(data, { recursive: true })
}

function differing({ stages }: Captures): number {
  const [first, last] = [stages[0]!, stages.at(-1)!]
  return [...last].filter(([key, value]) => first.get(key) !== value).length
}
