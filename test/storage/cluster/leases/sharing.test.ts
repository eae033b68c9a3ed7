// How recorders share leases: whatever happens, all of them are held in the end, in shares that differ by one at most,
// and nobody ever moves more than has to.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { LeaseGroup } from '../../../../storage/cluster/leases/leases.ts'
import { nextStep, SHARD_COUNT, shardOf, shareOf } from '../../../../storage/cluster/leases/sharing.ts'

function groupOf(recorders: string[], holders: (string | null)[]): LeaseGroup {
  const leases = holders.map((holder, i) => {
    const state = holder === null ? ('free' as const) : recorders.includes(holder) ? ('held' as const) : 'expired'
    return { lease: String(i).padStart(4, '0'), holder, epoch: 1, state } as LeaseGroup['leases'][number]
  })
  return { recorders: recorders.toSorted(), leases }
}

/** Each recorder has a turn. Returns whether anything moved. */
function round(recorders: string[], holders: (string | null)[]): boolean {
  let moved = false
  for (const holder of recorders) {
    const { take, giveBack } = nextStep(groupOf(recorders, holders), holder, true)
    for (const { lease } of take) holders[Number(lease)] = holder
    if (giveBack !== null) holders[Number(giveBack)] = null
    moved ||= take.length > 0 || giveBack !== null
  }
  return moved
}

describe('shares', () => {
  test('whoever comes and goes, all leases are held again, in even shares', () => {
    const someone = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const live = fc.array(someone, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(live, { minLength: 1, maxLength: 4 }), (count, stages) => {
        const holders: (string | null)[] = Array(count).fill(null)
        for (const recorders of stages.map((names) => [...new Set(names)])) {
          for (let rounds = 0; round(recorders, holders); rounds++) if (rounds > 2 * count) throw new Error('goes on')
          const counts = recorders.map((name) => holders.filter((holder) => holder === name).length)
          expect(counts.reduce((sum, each) => sum + each)).toBe(count)
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('a recorder that comes gets its share one by one from each, and what nobody has to move stays', () => {
    const holders: (string | null)[] = Array(8).fill('a')
    expect(nextStep(groupOf(['a', 'b'], holders), 'a', true)).toEqual({ take: [], giveBack: '0007' })
    holders[7] = null
    expect(nextStep(groupOf(['a', 'b'], holders), 'a', true).giveBack).toBeNull()
    while (round(['a', 'b'], holders));
    expect(holders.join('')).toBe('aaaabbbb')
    while (round(['b'], holders));
    expect(holders.join('')).toBe('bbbbbbbb')
  })

  test('one that could not ask for a while takes nothing that was not given back', () => {
    const group = groupOf(['a'], ['b', null, 'a'])
    expect(nextStep(group, 'a', false).take.map(({ lease }) => lease)).toEqual(['0001'])
    expect(nextStep(group, 'a', true).take.map(({ lease }) => lease)).toEqual(['0000', '0001'])
  })

  test('one that is not counted has no share', () => {
    expect(shareOf(groupOf(['b'], ['b']), 'a')).toBe(0)
  })

  test('markets are spread over all shards, and a shard is what it was', () => {
    const counts = new Map<number, number>()
    for (let i = 0; i < 3_200; i++) {
      const shard = shardOf('kalshi', `KXBTCD-26NOV2217-T${i}`, SHARD_COUNT)
      counts.set(shard, (counts.get(shard) ?? 0) + 1)
    }
    expect(counts.size).toBe(SHARD_COUNT)
    expect(Math.max(...counts.values())).toBeLessThan(150)
    expect(shardOf('kalshi', 'KXBTCD-26NOV2217-T99999.99', 32)).toBe(5)
    expect(shardOf('polymarket', '0x1', 32)).toBe(7)
  })
})
