// Machines of a cluster whose clocks are hours off. They load and answer like the others, and a sweep removes no young
// object.

import { S3Objects } from '../../../../storage/cluster/objects/s3-objects.ts'
import { isPresent } from '../../../run/missing.ts'
import type { Round } from '../../topic.ts'
import { ClusterTrial, type Fixture } from './cluster-trial.ts'

export const HAS_FAKETIME = isPresent(Bun.which('faketime') !== null, 'faketime')
const HOURS = [-30, -5, -1, 1, 5, 30]

/** Returns the command that runs a program with a shifted clock. Clocks that measure durations stay unchanged. */
const skewed = (hours: number) => {
  const offset = `${hours > 0 ? '+' : ''}${hours}h`
  return ['env', 'FAKETIME_DONT_FAKE_MONOTONIC=1', 'faketime', '-f', offset]
}

export async function skewedClocks(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally, isSmoke } = round
  await using trial = await ClusterTrial.begin(round, fixture)
  const nodes = [await trial.node('right')]
  const hours = isSmoke ? [random.pick(HOURS)] : HOURS
  for (const each of hours) nodes.push(await trial.node(`${each}h`, { before: skewed(each) }))
  tally.add('nodes whose clock is off', hours.length)
  for (const node of nodes) await fixture.known.expectAll(node, { from: 0, to: 0 })
  for (const [stage, file] of fixture.captures.files.entries()) {
    await trial.load([file], skewed(random.pick(HOURS)))
    for (const node of nodes) await fixture.known.expectAll(node, { from: stage + 1, to: stage + 1 })
  }
  const before = await countOfObjects(trial)
  const report = await trial.run(['sweep', '--data', trial.folder, '--json'], skewed(30))
  if ((await countOfObjects(trial)) < before) throw new Error(`a clock that is ahead swept what is young: ${report}`)
  tally.add('sweeps by a clock that is off')
  await trial.run(['compact', '--data', trial.folder, '--json'], skewed(random.pick(HOURS)))
  for (const node of nodes) await fixture.known.expectAll(node)
  await trial.expectWhole()
}

async function countOfObjects({ direct }: ClusterTrial): Promise<number> {
  return (await Array.fromAsync(new S3Objects(direct.objects).list(''))).length
}
