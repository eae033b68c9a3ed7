// Kills `ingest` at any of its steps. A step is a message between it and the bucket or PostgreSQL. After a kill, each
// market day is in the state before or after one of the files. Another load adds each missing record once.

import type { Round } from '../../topic.ts'
import { startProgram } from '../crashes/killed-program.ts'
import { assertAmong } from '../crashes/store-state.ts'
import { ClusterTrial, type Fixture } from './cluster-trial.ts'

/** Number of kills in each round, 0 if not set. If it is set, all rounds are of this kind. */
export const REQUESTED_KILLS = Number(process.env['CLUSTER_KILLS'] ?? 0)
const KILLS_MAX = 12
const SMOKE_KILLS = 2

export async function killedCommitter(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally, isSmoke } = round
  const steps = await stepsOf(round, fixture)
  let trial = await ClusterTrial.begin(round, fixture)
  try {
    for (let kill = REQUESTED_KILLS || (isSmoke ? SMOKE_KILLS : random.between(1, KILLS_MAX)); kill > 0; kill--) {
      const isKilled = await loadUntil(trial, random.between(1, steps), random.chance(0.5))
      const changed = assertAmong(await trial.state(), fixture.captures.stages)
      if (isKilled) tally.add('kills of ingest')
      else tally.add('loads that ended before their kill')
      if (isKilled && changed > 0) tally.add('kills of ingest behind a commit')
      if (isKilled || kill === 1) continue
      await trial.expectWhole()
      await trial[Symbol.asyncDispose]()
      trial = await ClusterTrial.begin(round, fixture)
    }
    await trial.expectWhole()
  } finally {
    await trial[Symbol.asyncDispose]()
  }
}

/** Number of steps that a load takes if it is not killed. */
let stepCount = 0
async function stepsOf(round: Round, fixture: Fixture): Promise<number> {
  if (stepCount > 0) return stepCount
  await using trial = await ClusterTrial.begin(round, fixture)
  const count = watchSteps(trial, () => true)
  await trial.load(fixture.captures.files)
  stepCount = count()
  return stepCount
}

/** Starts a load and kills it at a step. Returns whether the kill came before the load ended. `isPassed`: whether the
 *  message of this step still arrives. */
async function loadUntil(trial: ClusterTrial, step: number, isPassed: boolean): Promise<boolean> {
  const { child, err } = startProgram(trial.words(...trial.fixture.captures.files), trial.variables())
  const out = child.stdout.text()
  watchSteps(trial, (at) => {
    if (at < step) return true
    child.kill('SIGKILL')
    return isPassed && at === step
  })
  await child.exited
  trial.door.watch = () => true
  trial.proxy.faultOf = () => null
  if (child.signalCode === 'SIGKILL') return true
  if (child.exitCode !== 0) throw new Error(`a load ended with ${child.exitCode}: ${await err}${await out}`)
  return false
}

/** Watches the steps. `onStep` returns whether the message of the step is passed on. Returns a function that returns
 *  the number of steps so far. */
function watchSteps({ door, proxy }: ClusterTrial, onStep: (at: number) => boolean): () => number {
  let count = 0
  door.watch = () => onStep(++count)
  proxy.faultOf = () => (onStep(++count) ? null : { kind: 'cut' })
  return () => count
}
