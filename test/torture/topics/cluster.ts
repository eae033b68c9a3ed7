// A cluster of real processes on real engines, which fail one after the other. Nothing is lost, no answer is wrong, and
// no client waits longer than its limit. PostgreSQL is a separate server, which the topic can kill.

import { join } from 'node:path'
import { noPostgresServer, startPostgres } from '../../support/postgres-server.ts'
import type { Round, TortureTopic } from '../topic.ts'
import { badBucket } from './cluster/bad-bucket.ts'
import { badCache } from './cluster/bad-cache.ts'
import { HAS_HAPROXY } from './cluster/balancer.ts'
import type { Fixture } from './cluster/cluster-trial.ts'
import { failover } from './cluster/failover.ts'
import { killedCommitter, REQUESTED_KILLS } from './cluster/killed-committer.ts'
import { killedNode } from './cluster/killed-node.ts'
import { KnownAnswers } from './cluster/known-answers.ts'
import { lostPut } from './cluster/lost-put.ts'
import { postgresAway } from './cluster/postgres-away.ts'
import { HAS_FAKETIME, skewedClocks } from './cluster/skewed-clocks.ts'
import { startStores } from './cluster/stores.ts'
import { sweepBeside } from './cluster/sweep-beside.ts'
import { twoCommitters } from './cluster/two-committers.ts'
import { makeCaptures } from './crashes/crashing-captures.ts'

type Fault = (round: Round, fixture: Fixture) => Promise<void>

const nodeFaults: Fault[] = HAS_HAPROXY ? [killedNode] : []
const ALL_FAULTS: Record<string, Fault> = {
  ...(HAS_HAPROXY && { 'killed-node': killedNode }),
  'bad-bucket': badBucket,
  'lost-put': lostPut,
  'postgres-away': postgresAway,
  failover,
  'killed-committer': killedCommitter,
  'two-committers': twoCommitters,
  ...(HAS_FAKETIME && { 'skewed-clocks': skewedClocks }),
  'bad-cache': badCache,
  'sweep-beside': sweepBeside,
}
/** If set, only this fault runs. */
const REQUESTED_FAULT = process.env['CLUSTER_FAULT'] ?? (REQUESTED_KILLS > 0 ? 'killed-committer' : undefined)
const FAULTS = REQUESTED_FAULT === undefined ? Object.values(ALL_FAULTS) : [ALL_FAULTS[REQUESTED_FAULT]!]
/** The smoke runs faults that no other test covers. */
const SMOKE_FAULTS = REQUESTED_FAULT === undefined ? [...nodeFaults, lostPut, postgresAway, killedCommitter] : FAULTS
const CONNECTIONS = 200

export const topic: TortureTopic = {
  title: 'a cluster whose nodes, loads, bucket and PostgreSQL fail: no lost data, no wrong answer, no long wait',
  smokeRounds: SMOKE_FAULTS.length,
  smokeMsMax: 600_000,
  smokeTally: [
    ...(HAS_HAPROXY ? ['nodes killed under load', 'nodes stopped under load'] : []),
    ...['objects lost', 'failures whose lost object is in the log', 'days repaired', 'kills of ingest'],
    'answers refused while PostgreSQL is away',
  ],
  ...(noPostgresServer !== undefined && { skipped: noPostgresServer }),

  async prepare({ folder, isSmoke }) {
    const captures = await makeCaptures(join(folder, 'captures'), isSmoke)
    const known = await KnownAnswers.of(captures, folder)
    const stores = await startStores(isSmoke)
    const postgres = await startPostgres({ connections: CONNECTIONS })
    const fixture: Fixture = { postgres, stores: stores.all, captures, known }
    let turn = 0
    return {
      async round(round) {
        // A full run picks the fault by the round's seed, so the same seed repeats the round. The smoke runs each
        // fault once.
        const fault = round.isSmoke ? SMOKE_FAULTS[turn++ % SMOKE_FAULTS.length]! : round.random.pick(FAULTS)
        const startMs = performance.now()
        await fault(round, fixture)
        round.tally.add(`seconds of ${fault.name}`, Math.round((performance.now() - startMs) / 1_000))
      },
      async close() {
        await postgres[Symbol.asyncDispose]()
        await stores.stop()
      },
    }
  },
}
