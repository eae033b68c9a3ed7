// Kills the primary of PostgreSQL with -9 under a node and a load. Its standby takes over, and the address in
// CATALOGUE_URL moves to the standby. No acknowledged record is lost, and the node resumes by itself.

import { startPostgres } from '../../../support/postgres-server.ts'
import type { Round } from '../../topic.ts'
import { startProgram } from '../crashes/killed-program.ts'
import { assertAmong } from '../crashes/store-state.ts'
import { ClusterTrial, type Fixture } from './cluster-trial.ts'
import { expectBack, expectKnown } from './postgres-away.ts'

const CONNECTIONS = 100
const LOADING_MS_MAX = 1_500

export async function failover(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally } = round
  await using primary = await startPostgres({ connections: CONNECTIONS })
  await using standby = await primary.standBy()
  await using trial = await ClusterTrial.begin(round, fixture, { postgres: primary })
  const node = await trial.node('node')
  await fixture.known.expectAll(node, { from: 0, to: 0 })
  const acknowledged = random.below(fixture.captures.files.length)
  for (const file of fixture.captures.files.slice(0, acknowledged)) await trial.load([file])
  await fixture.known.expectAll(node, { from: acknowledged, to: acknowledged })
  const { child, err } = startProgram(trial.words(...fixture.captures.files), trial.variables())
  const out = child.stdout.text()
  await Promise.race([Bun.sleep(random.below(LOADING_MS_MAX)), child.exited])
  await primary.kill()
  await expectKnown(node, { known: fixture.known, random, from: acknowledged })
  await standby.promote()
  trial.moveTo(standby)
  const exitCode = await child.exited
  const text = `${await err}${await out}`
  if (exitCode !== 0 && !text.includes('catalogue')) throw new Error(`a load ended with ${exitCode}: ${text}`)
  tally.add(exitCode === 0 ? 'loads that a failover did not stop' : 'loads that a failover stopped')
  assertAmong(await trial.state(), fixture.captures.stages.slice(exitCode === 0 ? -1 : acknowledged))
  tally.add('failovers')
  await expectBack(node, random, trial)
}
