// The bucket loses objects that it has acknowledged. The log names the lost object that an answer needs, and `verify`
// finds the damage. The operator removes the damaged days and loads their captures again.

import { join } from 'node:path'
import { openStoreAt } from '../../../../storage/open-store.ts'
import type { PartitionKey } from '../../../../storage/partition-key.ts'
import { deleteDays } from '../../../../workers/remove/delete-days.ts'
import type { Round } from '../../topic.ts'
import { startProgram } from '../crashes/killed-program.ts'
import { ClusterTrial, type Fixture } from './cluster-trial.ts'

export async function lostPut(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally } = round
  await using trial = await ClusterTrial.begin(round, fixture)
  const files = fixture.captures.files.slice(0, random.between(1, fixture.captures.files.length))
  const lost = new Set<string>()
  trial.proxy.faultOf = ({ method, path }) => {
    if (method !== 'PUT' || (lost.size > 0 && random.chance(0.5))) return null
    lost.add(/segments\/.*$/.exec(path)![0])
    return { kind: 'lose' }
  }
  // The load stores each day that it need not merge with a lost object. It refuses the other days.
  const { child, err } = startProgram(trial.words(...files), trial.variables())
  const out = child.stdout.text()
  const exitCode = await child.exited
  const text = `${await err}${await out}`
  if (exitCode !== 0 && ![...lost].some((key) => text.includes(key))) throw new Error(`a load ended: ${text}`)
  trial.proxy.faultOf = () => null
  tally.add('objects lost', lost.size)
  const cold = await trial.node('cold')
  const refused: { path: string; id: string }[] = []
  for (const path of fixture.known.paths) {
    const answer = await cold.get(path)
    if (answer.status === 200 || answer.status === 404) {
      fixture.known.expect(path, answer, { from: 0, to: files.length })
      continue
    }
    const hasLostKey = [...lost].some((key) => answer.text.includes(key))
    if (answer.code !== 'block_corrupt' || hasLostKey) throw new Error(`${path} is ${answer.status} ${answer.text}`)
    const { request_id: id } = JSON.parse(answer.text) as { request_id: string }
    refused.push({ path, id })
  }
  const damaged = await verify(trial)
  tally.add('days repaired', damaged.length)
  await repair(trial, damaged)
  if ((await verify(trial)).length > 0) throw new Error('what was repaired is damaged still')
  await fixture.known.expectAll(cold)
  await cold.stop()
  const lines = (await cold.log).split('\n')
  for (const { path, id } of refused) {
    const line = lines.find((each) => each.includes(id)) ?? ''
    if (![...lost].some((key) => line.includes(key))) throw new Error(`${path} is not explained in the log: ${line}`)
    tally.add('failures whose lost object is in the log')
  }
}

/** Removes the damaged days and loads their captures again, because nothing can be merged into a damaged day. */
async function repair(trial: ClusterTrial, damaged: readonly PartitionKey[]): Promise<void> {
  const [first, ...others] = damaged
  const day = ['--venue', first!.venue, '--market', first!.market, '--date', first!.date]
  await trial.run(['delete', '--data', trial.folder, ...day, '--yes'])
  // Does the same as the command, without a process for each day.
  const store = await openStoreAt({ folder: trial.folder, cluster: trial.direct }, { mayWrite: true })
  for (const { venue, market, date } of others) await deleteDays(store, venue, market, date)
  await store.close()
  await trial.load([trial.fixture.captures.first, ...trial.fixture.captures.files])
}

/** Returns the damaged days. Runs without the loader's cache, because that cache still has the lost pieces. */
async function verify(trial: ClusterTrial): Promise<PartitionKey[]> {
  const words = ['verify', '--data', join(trial.folder, 'verified'), '--json']
  const { child, err } = startProgram(words, trial.variables())
  const out = await child.stdout.text()
  const exitCode = await child.exited
  const { damage } = JSON.parse(out) as { damage: PartitionKey[] }
  if (exitCode !== (damage.length > 0 ? 1 : 0)) throw new Error(`verify ended with ${exitCode}: ${await err}${out}`)
  const days = new Map(damage.map((day) => [`${day.venue} ${day.market} ${day.date}`, day]))
  return [...days.values()]
}
