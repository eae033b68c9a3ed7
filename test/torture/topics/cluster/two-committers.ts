// Several processes load the same captures at once, each from a random one on. Every record is stored once.

import type { Round } from '../../topic.ts'
import { ClusterTrial, type Fixture } from './cluster-trial.ts'

const COMMITTERS_MAX = 4

export async function twoCommitters(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally, isSmoke } = round
  const { first, files } = fixture.captures
  await using trial = await ClusterTrial.begin(round, fixture)
  const node = await trial.node('node')
  await fixture.known.expectAll(node, { from: 0, to: 0 })
  const orders = Array.from({ length: isSmoke ? 2 : random.between(2, COMMITTERS_MAX) }, () =>
    turned(files, random.below(files.length)),
  )
  const added = await Promise.all(orders.map((order) => trial.load(order)))
  tally.add('committers at once', orders.length)
  await trial.state()
  await fixture.known.expectAll(node)
  const again = await trial.load([first, ...files])
  if (again !== 0) throw new Error(`a load of what is stored added ${again} records, behind ${added}`)
}

const turned = <T>(all: readonly T[], by: number): T[] => [...all.slice(by), ...all.slice(0, by)]
