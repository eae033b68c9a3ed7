// A bucket that has faults while nodes and loads use it. A node answers from its cache. If the cache lacks the data,
// it answers correctly or refuses in time. After the faults, nodes and loads work again without a restart.

import type { Random } from '../../../../workers/synthetic/random.ts'
import type { ProxyFault } from '../../../support/cluster/faulty-proxy.ts'
import type { Round } from '../../topic.ts'
import { startProgram } from '../crashes/killed-program.ts'
import { assertAmong } from '../crashes/store-state.ts'
import type { ClusterNode } from './cluster-node.ts'
import { ClusterTrial, type Fixture, WAIT_MS_MAX } from './cluster-trial.ts'

/** Maximum duration of a load, ms. It puts several segments, and each put has a time limit. */
const LOAD_MS_MAX = 10 * WAIT_MS_MAX
/** Number of requests, one after the other; each may have to wait. */
const REQUESTS = 5
const FAULTS_A_ROUND = 2

const faultsOf = (random: Random): ProxyFault[] => [
  { kind: 'refuse', status: 503, code: 'SlowDown' },
  { kind: 'cut' },
  { kind: 'hang' },
  { kind: 'delay', ms: 5_000 },
  { kind: 'stall', bytes: random.below(100) },
  { kind: 'truncate', bytes: random.below(100) },
  { kind: 'damage' },
  { kind: 'ignore-range' },
]

export async function badBucket(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally, isSmoke } = round
  await using trial = await ClusterTrial.begin(round, fixture)
  const warm = await trial.node('warm')
  await fixture.known.expectAll(warm, { from: 0, to: 0 })
  for (let faults = isSmoke ? 1 : FAULTS_A_ROUND; faults > 0; faults--) {
    const fault = random.pick(faultsOf(random))
    const isEach = random.chance(0.7)
    trial.proxy.faultOf = () => (isEach || random.chance(0.5) ? fault : null)
    const cold = await trial.node(`cold-${faults}`)
    await expectRightOrRefused(cold, round, trial)
    await loadDuring(trial, round)
    // The cache does not have the data that the load changed.
    await expectRightOrRefused(warm, round, trial)
    trial.proxy.faultOf = () => null
    tally.add(`bucket: ${fault.kind}`)
    await cold.stop()
    assertAmong(await trial.state(), fixture.captures.stages)
  }
  await trial.expectWhole()
  await fixture.known.expectAll(warm)
  trial.proxy.faultOf = () => ({ kind: 'cut' })
  await fixture.known.expectAll(warm)
}

async function expectRightOrRefused(node: ClusterNode, { random, tally }: Round, { fixture: { known } }: ClusterTrial) {
  for (let requests = 0; requests < REQUESTS; requests++) {
    const path = random.pick(known.paths)
    const answer = await node.get(path)
    if (answer.ms > WAIT_MS_MAX) throw new Error(`${path} took ${answer.ms} ms`)
    if (answer.status === 200 || answer.status === 404) {
      known.expect(path, answer, { from: 0, to: known.last })
      continue
    }
    const error = `${answer.status} ${answer.code}`
    if (error !== '503 blocks_unavailable' && error !== '500 block_corrupt') throw new Error(`${path} is ${error}`)
    if (answer.status === 503 && answer.retryAfter === null) throw new Error(`${path} has no Retry-After`)
    tally.add(`answers that are ${error}`)
  }
}

async function loadDuring(trial: ClusterTrial, { tally }: Round): Promise<void> {
  const { child, err } = startProgram(trial.words(...trial.fixture.captures.files), trial.variables())
  const out = child.stdout.text()
  await Promise.race([child.exited, Bun.sleep(LOAD_MS_MAX)])
  if (child.exitCode === null) {
    child.kill('SIGKILL')
    throw new Error(`a load has not ended after ${LOAD_MS_MAX} ms`)
  }
  const text = `${await err}${await out}`
  if (child.exitCode !== 0 && !/bucket|object|damage|block/i.test(text)) throw new Error(`a load ended: ${text}`)
  tally.add(child.exitCode === 0 ? 'loads done all the same' : 'loads refused')
}
