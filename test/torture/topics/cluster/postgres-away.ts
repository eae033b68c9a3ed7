// PostgreSQL is stopped, killed with -9, or hangs, under a node and under a load. The node answers from rows that it
// already has, and refuses other requests in time. It resumes by itself when PostgreSQL is back.

import type { Random } from '../../../../workers/synthetic/random.ts'
import type { Round } from '../../topic.ts'
import { startProgram } from '../crashes/killed-program.ts'
import { assertAmong } from '../crashes/store-state.ts'
import type { ClusterNode } from './cluster-node.ts'
import { ClusterTrial, type Fixture, ROOM_MS, TIMEOUT_SECONDS, WAIT_MS_MAX } from './cluster-trial.ts'
import type { KnownAnswers } from './known-answers.ts'

/** A load checks up to 20 times whether its commit took effect. */
const LOAD_MS_MAX = 21 * (TIMEOUT_SECONDS * 1_000 + 250) + 2 * ROOM_MS
const BACK_MS_MAX = 10_000 + ROOM_MS
const UNKNOWN = '/kalshi/market/date-range?ticker=KXMANY-0'

/** Number of requests, one after the other; each may have to wait. */
const REQUEST_COUNT = 5

type Fault = { name: string; inflict(): Promise<void>; mend(): Promise<void> }

const faultsOf = ({ fixture: { postgres }, door }: ClusterTrial): Fault[] => [
  { name: 'killed', inflict: () => postgres.kill(), mend: () => postgres.start() },
  { name: 'stopped', inflict: () => postgres.stop('fast'), mend: () => postgres.start() },
  {
    name: 'hanging',
    async inflict() {
      door.watch = () => false
    },
    async mend() {
      door.watch = () => true
      door.cut()
    },
  },
]

export async function postgresAway(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally, isSmoke } = round
  await using trial = await ClusterTrial.begin(round, fixture)
  const node = await trial.node('node')
  await fixture.known.expectAll(node, { from: 0, to: 0 })
  const fault = random.pick(faultsOf(trial))
  for (let times = isSmoke ? 1 : random.between(1, 3); times > 0; times--) {
    const { load, ended } = startLoad(trial)
    await Promise.race([Bun.sleep(random.below(1_500)), load.exited])
    await fault.inflict()
    try {
      await expectKnown(node, { known: fixture.known, random })
      tally.add('answers refused while PostgreSQL is away')
      await ended
    } finally {
      await fault.mend()
    }
    tally.add(`PostgreSQL ${fault.name}`)
    tally.add(load.exitCode === 0 ? 'loads done before that' : 'loads refused for that')
    assertAmong(await trial.state(), fixture.captures.stages)
  }
  await expectBack(node, random, trial)
}

/** Starts a load; `ended` fails if the load takes longer than `LOAD_MS_MAX`. */
function startLoad(trial: ClusterTrial) {
  const { child, err } = startProgram(trial.words(...trial.fixture.captures.files), trial.variables())
  const out = child.stdout.text()
  const ended = (async () => {
    await Promise.race([child.exited, Bun.sleep(LOAD_MS_MAX)])
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      throw new Error(`a load has not ended after ${LOAD_MS_MAX} ms`)
    }
    const text = `${await err}${await out}`
    const isExplained = /catalogue|took effect|taken effect/i.test(text)
    if (child.exitCode !== 0 && !isExplained) throw new Error(`a load ended with ${child.exitCode}: ${text}`)
  })()
  ended.catch(() => undefined)
  return { load: child, ended }
}

/** Expects that each answer is of a stage from `from` on, or is refused with 503. Also expects that a request for an
 *  unknown market is refused. */
export async function expectKnown(
  node: ClusterNode,
  { known, random, from = 0 }: { known: KnownAnswers; random: Random; from?: number },
): Promise<void> {
  for (let request = 0; request < REQUEST_COUNT; request++) {
    const path = random.pick(known.paths)
    const answer = await node.get(path)
    expectInTime(path, answer.ms)
    // The node forgets its rows of a market that a commit has changed, and then refuses.
    if (answer.status === 503) expectRefused(path, answer)
    else known.expect(path, answer, { from, to: known.last })
  }
  const refused = await node.get(UNKNOWN)
  expectInTime(UNKNOWN, refused.ms)
  expectRefused(UNKNOWN, refused)
}

function expectInTime(path: string, ms: number): void {
  if (ms > WAIT_MS_MAX) throw new Error(`${path} took ${ms} ms`)
}

function expectRefused(path: string, { status, code, retryAfter }: Awaited<ReturnType<ClusterNode['get']>>): void {
  if (status !== 503 || code !== 'store_unavailable' || retryAfter === null) {
    throw new Error(`${path} is ${status} ${code}, Retry-After ${retryAfter}`)
  }
}

/** Expects that the node answers again by itself, and that a repeated load adds what is missing. */
export async function expectBack(node: ClusterNode, random: Random, trial: ClusterTrial): Promise<void> {
  const { known } = trial.fixture
  const untilMs = performance.now() + BACK_MS_MAX
  while ((await node.get(UNKNOWN)).status === 503) {
    if (performance.now() > untilMs) throw new Error(`a node still refuses after ${BACK_MS_MAX} ms`)
    await Bun.sleep(100)
  }
  await trial.expectWhole()
  await known.expectAll(node)
  const another = await trial.node(`another-${random.uint32()}`)
  await known.expectAll(another)
  await node.stop()
}
