// How recorders of a group share its leases. Each has a share, which follows from who lives; it takes what is free up
// to its share, and gives back what it holds beyond, one lease a turn, while nothing is free. Pure.

import type { Venue } from '../../venue.ts'
import type { LeaseGroup, LeaseRow } from './leases.ts'

/** Of a group that is made now. One that exists has as many as it has rows. */
export const SHARD_COUNT = 32

/** `name` is what a recorder knows the market by. */
export const shardOf = (venue: Venue, name: string, count: number): number =>
  Bun.hash.xxHash32(`${venue} ${name}`) % count

/** The first recorders by name have one more where it does not come out even. */
export function shareOf({ recorders, leases }: LeaseGroup, holder: string): number {
  const rank = recorders.indexOf(holder)
  if (rank < 0) return 0
  const even = Math.floor(leases.length / recorders.length)
  return even + (rank < leases.length % recorders.length ? 1 : 0)
}

export type Step = { take: LeaseRow[]; giveBack: string | null }

/** `mayTakeExpired`: false for one that could not ask for a while: nobody else may have been able to renew. */
export function nextStep(group: LeaseGroup, holder: string, mayTakeExpired: boolean): Step {
  const held = group.leases.filter((lease) => lease.holder === holder)
  const isThere = ({ state }: LeaseRow) => state === 'free' || (state === 'expired' && mayTakeExpired)
  const open = group.leases.filter((lease) => lease.holder !== holder && isThere(lease))
  const missing = shareOf(group, holder) - held.length
  // Recorders begin at different places, so that they seldom want the same.
  const from = Math.floor((Math.max(0, group.recorders.indexOf(holder)) * open.length) / group.recorders.length)
  const take = [...open.slice(from), ...open.slice(0, from)].slice(0, Math.max(0, missing))
  const isWaitedFor = missing < 0 && group.leases.every(({ state }) => state === 'held')
  return { take, giveBack: isWaitedFor ? held.at(-1)!.lease : null }
}
