// Runs one recorder and a venue that sends few messages. Sockets break, and the recorder is stopped, killed and
// restarted. Returns what was stored and what was lost. The recorder's clock is off by a fixed time.

import { clusterStore } from '../../storage/cluster/cluster-store.ts'
import { commitPartitions } from '../../workers/dates/commit-partitions.ts'
import { collectLines } from '../support/collected.ts'
import { Cluster } from './cluster.ts'
import { withoutNewFaults } from './fault-plan.ts'
import { Disk } from './recording/disk.ts'
import { recordedAnswer } from './recording/recorded-answers.ts'
import { record } from './recording/recorder.ts'
import { SendingVenue, type SentMessage } from './recording/venue.ts'

export type Line = { type: string; timestamp: number; received_at: number | null; msg: Record<string, unknown> }

/** One market: the stored lines, in order, and the messages of the venue that are not stored. */
export type RecordedMarket = { lines: Line[]; lost: SentMessage[] }

const RUNS_MAX_MS = 30_000
const PAUSE_MAX_MS = 15_000

export async function recordAlone(seed: number, skewMs: number): Promise<RecordedMarket[]> {
  const cluster = new Cluster(seed, 1)
  const { world, network } = cluster
  network.faultPlan = { ...withoutNewFaults(network.faultPlan), skewMs: 0 }
  const random = world.random('one recorder')
  const venue = new SendingVenue(world, world.random('venue'))
  const disk = new Disk('alone')
  const workplace = (name: string) => {
    const process = cluster.process(name, skewMs, () => undefined)
    const at = cluster.workplaceOf(process)
    at.nowMs = () => world.nowMs + skewMs
    at.committing = () => () => undefined
    return at
  }
  const work = async () => {
    while (!venue.isOver) {
      const at = workplace('recorder')
      const untilMs = world.nowMs + random.below(RUNS_MAX_MS)
      const isOver = () => world.nowMs >= untilMs || venue.isOver
      const ended = Promise.withResolvers<void>()
      record({ world, venue, isOver, share: null, disk, random }, at).then(ended.resolve, ended.reject)
      if (random.chance(0.5)) {
        world.after(random.below(RUNS_MAX_MS), () => {
          at.process.end()
          ended.resolve()
        })
      }
      await ended.promise
      const next = Promise.withResolvers<void>()
      world.after(random.below(PAUSE_MAX_MS), next.resolve)
      await next.promise
    }
    venue.endFaults()
    const untilMs = world.nowMs + 10_000
    await record({ world, venue, isOver: () => world.nowMs >= untilMs, share: null, disk, random }, workplace('last'))
    const at = workplace('loader')
    const store = at.openStore({ listens: false, isEachCallChecked: true })
    for (const name of disk.names) await commitPartitions(store, collectLines(disk.lines(name), at.nowMs()))
  }
  work().catch((error) => world.fail(error))
  await world.run()
  const store = clusterStore({ objects: cluster.objects, rows: cluster.rows, isEachCallChecked: true })
  return Promise.all(venue.markets.map(async (market) => recorded(store, venue, market)))
}

async function recorded(store: ReturnType<typeof clusterStore>, venue: SendingVenue, market: string) {
  const stored = await store.catalogue.market('kalshi', market)
  const lines = stored === undefined ? [] : (JSON.parse(await recordedAnswer(store, market, 'range')) as Line[])
  const numbers = new Set(lines.map(({ msg: { n } }) => n))
  return { lines, lost: venue.sent.filter((message, n) => message.market === market && !numbers.has(n)) }
}
