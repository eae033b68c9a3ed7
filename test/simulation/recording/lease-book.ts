// Who holds which lease, as the database told whoever took one; what holds of commits and of those who are gone follows
// from that. It knows nothing of how leases are kept.

import { PACE } from '../../../src/record/sharing/sharing.ts'
import type { Leases } from '../../../storage/cluster/leases/leases.ts'
import { leaseName } from '../../../storage/cluster/leases/leases.ts'
import { shardOf } from '../../../storage/cluster/leases/sharing.ts'
import type { Fence } from '../../../storage/fence.ts'
import type { Network } from '../network.ts'
import type { Process, World } from '../world.ts'

/** Within so long after its holder is gone, somebody else has a lease. */
const TAKEN_WITHIN_MS = 15_000

/** Of a group: few, since each is taken by itself. */
export const SHARDS = 4

type Held = { process: Process; fence: Fence; saidMs: number }
/** Those that run, and when it was last that one of them ended, or that something was heard of one that had. */
type Group = { recorders: Set<Process>; changedMs: number }

export class LeaseBook {
  readonly #world: World
  readonly #network: Network
  readonly #held = new Map<string, Held>()
  readonly #groups = new Map<string, Group>()

  constructor(world: World, network: Network) {
    this.#world = world
    this.#network = network
  }

  /** What a recorder works with. */
  of(process: Process, group: string, truth: Leases): Leases {
    const own = this.#groups.get(group) ?? { recorders: new Set(), changedMs: 0 }
    this.#groups.set(group, own)
    own.recorders.add(process)
    const call = <T>(what: string, take: () => Promise<T>) => this.#network.call(process, 'database', what, take, true)
    return {
      prepare: (...args) => call('prepare', () => truth.prepare(...args)),
      turn: (turn) =>
        call(`turn of ${turn.held.length}`, async () => {
          const { nowMs } = this.#world
          for (const { fence } of turn.held) if (this.isHeld(fence)) this.#held.get(fence.lease)!.saidMs = nowMs
          if (this.#isGone(process)) own.changedMs = nowMs
          return truth.turn(turn)
        }),
      take: (seen, taker) =>
        call(`take ${seen.lease}`, async () => {
          const taken = await truth.take(seen, taker)
          if (taken !== undefined) this.#taken(process, taken.fence)
          return taken
        }),
      giveBack: (held) =>
        call(`give back ${held.map(({ fence }) => fence.lease)}`, async () => {
          for (const { fence } of held) if (this.isHeld(fence)) this.#held.delete(fence.lease)
          return truth.giveBack(held)
        }),
      leave: (...args) => call('leave', () => truth.leave(...args)),
      close: async () => undefined,
    }
  }

  isHeld({ lease, holder, epoch }: Fence): boolean {
    const held = this.#held.get(lease)?.fence
    return held?.holder === holder && held.epoch === epoch
  }

  /** Throws where a commit takes effect that may not. */
  requireHeld(group: string, markets: readonly string[], fences: readonly Fence[]): void {
    for (const market of markets) {
      const lease = leaseName(group, shardOf('kalshi', market, SHARDS))
      if (!fences.some((fence) => fence.lease === lease)) throw new Error(`${market} is stored without ${lease}`)
    }
    for (const fence of fences) {
      if (!this.isHeld(fence)) throw new Error(`${fence.holder} stores under ${fence.lease}, which it has lost`)
    }
  }

  /** The recorder ends in an orderly way. */
  ends(process: Process, group: string): void {
    this.#groups.get(group)!.recorders.delete(process)
    this.#groups.get(group)!.changedMs = this.#world.nowMs
  }

  /** Throws where a shard of somebody who is gone is nobody's for too long, while all others could ask. */
  requireTakenOver(): void {
    const { nowMs } = this.#world
    for (const [name, group] of this.#groups) {
      const { recorders } = group
      for (const each of recorders) {
        group.changedMs = Math.max(group.changedMs, each.endedMs, each.suspendedMs, Math.min(nowMs, each.wellSinceMs))
        if (!each.isAlive) recorders.delete(each)
      }
      if (![...recorders].some((each) => !this.#isGone(each))) continue
      for (const { process, fence, saidMs } of this.#held.values()) {
        const sinceMs = Math.max(group.changedMs, saidMs)
        if (!fence.lease.startsWith(`${name}/`) || !this.#isGone(process) || nowMs - sinceMs <= TAKEN_WITHIN_MS)
          continue
        throw new Error(`${fence.lease} is still that of ${fence.holder}, who is gone since ${nowMs - sinceMs} ms`)
      }
    }
  }

  #isGone({ isAlive, resumesMs }: Process): boolean {
    return !isAlive || resumesMs > this.#world.nowMs
  }

  #taken(process: Process, fence: Fence): void {
    const before = this.#held.get(fence.lease)
    if (before !== undefined) {
      if (before.fence.epoch >= fence.epoch) throw new Error(`${fence.lease} is taken twice as ${fence.epoch}`)
      const leftMs = before.saidMs + PACE.leaseMs - this.#world.nowMs
      if (leftMs > 0) throw new Error(`${fence.lease} is taken ${leftMs} ms before it expires`)
      this.#world.count('shards taken over')
    }
    this.#world.count('shards taken')
    this.#held.set(fence.lease, { process, fence, saidMs: this.#world.nowMs })
  }
}
