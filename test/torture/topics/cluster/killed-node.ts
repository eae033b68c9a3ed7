// Nodes behind haproxy are killed with -9, or stopped, while clients send requests. After a kill, only answers whose
// body had begun are lost. After a stop, no answer is lost.

import type { Random } from '../../../../workers/synthetic/random.ts'
import type { Round } from '../../topic.ts'
import { startBalancer } from './balancer.ts'
import { ask, type ClusterNode } from './cluster-node.ts'
import { ClusterTrial, type Fixture } from './cluster-trial.ts'

const [SMOKE, FULL] = [
  { requests: 1_000, kills: 1, drainSeconds: 3 },
  { requests: 10_000, kills: 3, drainSeconds: 5 },
]
const CLIENTS = 8
/** Time in which the balancer checks a node twice, ms. */
const SEEN_MS = 2_000

export async function killedNode(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally, isSmoke } = round
  const { requests, kills, drainSeconds } = isSmoke ? SMOKE : FULL
  await using trial = await ClusterTrial.begin(round, fixture)
  await trial.load(fixture.captures.files)
  const start = (name: string, port = 0) => trial.node(name, { port, env: { DRAIN_SECONDS: String(drainSeconds) } })
  const nodes: [ClusterNode, ClusterNode] = [await start('one'), await start('two')]
  await using balancer = await startBalancer(trial.folder, [nodes[0].port, nodes[1].port])
  const clients = new Clients(trial, balancer.port, random)
  const asked = clients.ask(requests)
  asked.catch(() => undefined)
  for (let kill = 1; kill <= kills + 1 && !clients.hasFailed; kill++) {
    await clients.until((requests * kill) / (kills + 2))
    const at = kill % 2
    const { port } = nodes[at]!
    if (kill <= kills) await nodes[at]!.kill()
    else await clients.withoutBreaks(() => nodes[at]!.stop())
    tally.add(kill <= kills ? 'nodes killed under load' : 'nodes stopped under load')
    nodes[at] = await start(at === 0 ? 'one' : 'two', port)
    // Waits until the balancer knows that the node is up again: the next kill must leave it one node.
    await Bun.sleep(SEEN_MS)
  }
  clients.end()
  await asked
  tally.add('requests behind the balancer', clients.done)
  tally.add('answers broken off behind their first byte', clients.broken)
  for (const node of nodes) await fixture.known.expectAll(node)
}

class Clients {
  readonly #trial: ClusterTrial
  readonly #port: number
  readonly #random: Random
  #isEnding = false
  done = 0
  broken = 0
  hasFailed = false

  constructor(trial: ClusterTrial, port: number, random: Random) {
    this.#trial = trial
    this.#port = port
    this.#random = random
  }

  /** Sends at least this many requests, and continues until `end` is called. */
  async ask(requests: number): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, () => this.#work(requests)))
  }

  end(): void {
    this.#isEnding = true
  }

  async until(done: number): Promise<void> {
    while (this.done < done && !this.hasFailed) await Bun.sleep(5)
  }

  async withoutBreaks(task: () => Promise<void>): Promise<void> {
    const before = this.broken
    await task()
    if (this.broken > before) throw new Error(`${this.broken - before} answers were broken off when a node was stopped`)
  }

  async #work(requests: number): Promise<void> {
    const { known } = this.#trial.fixture
    while (!this.hasFailed && !(this.#isEnding && this.done >= requests)) {
      const path = this.#random.pick(known.paths)
      try {
        const answer = await ask(`http://127.0.0.1:${this.#port}${path}`, this.#trial.secret, () => this.broken++)
        if (answer !== null) known.expect(path, answer)
      } catch (error) {
        this.hasFailed = true
        throw new Error(`request ${this.done}: ${path}: ${error}`)
      }
      this.done++
    }
  }
}
