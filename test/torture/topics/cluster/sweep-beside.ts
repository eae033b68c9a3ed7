// `sweep` with almost no grace period, and `compact`, run repeatedly during a load. The load puts objects slowly, or
// pauses after it has put them. The sweep removes no object that a row names or that a commit may still name.

import type { Round } from '../../topic.ts'
import { startProgram } from '../crashes/killed-program.ts'
import { assertAmong } from '../crashes/store-state.ts'
import { ClusterTrial, type Fixture, TIMEOUT_SECONDS } from './cluster-trial.ts'
import { sweepAtOnce } from './sweep-at-once.ts'

const GRACE_MS = 200
const STILL_MS_MAX = 4_000
const SLOW_SHARE = 0.4
const LOAD_SECONDS = 60

export async function sweepBeside(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally } = round
  await using trial = await ClusterTrial.begin(round, fixture)
  const node = await trial.node('node')
  await fixture.known.expectAll(node, { from: 0, to: 0 })
  const { child, err } = startProgram(trial.words(...fixture.captures.files), trial.variables(LOAD_SECONDS))
  const out = child.stdout.text()
  let puts = 0
  trial.proxy.faultOf = ({ method }) => {
    if (method !== 'PUT' || (puts++ > 0 && !random.chance(SLOW_SHARE))) return null
    if (random.chance(0.5)) return { kind: 'delay', ms: random.below(TIMEOUT_SECONDS * 1_000) }
    child.kill('SIGSTOP')
    setTimeout(() => child.kill('SIGCONT'), random.below(STILL_MS_MAX))
    return null
  }
  let swept = 0
  while (child.exitCode === null && child.signalCode === null) {
    swept += await sweepAtOnce(trial.direct, GRACE_MS)
    if (random.chance(0.2)) await trial.run(['compact', '--data', trial.folder, '--json'])
    await Bun.sleep(random.below(100))
  }
  trial.proxy.faultOf = () => null
  if (child.exitCode !== 0) throw new Error(`a load ended with ${child.exitCode}: ${await err}${await out}`)
  tally.add('slow loads done beside sweeps')
  tally.add('objects put beside sweeps', puts)
  assertAmong(await trial.state(), fixture.captures.stages.slice(-1))
  await trial.expectWhole()
  await fixture.known.expectAll(node)
  swept += await sweepAtOnce(trial.direct, GRACE_MS)
  tally.add('objects swept', swept)
  await fixture.known.expectAll(await trial.node('another'))
}
