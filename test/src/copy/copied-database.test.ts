// Goal: what is known of copies outlives the process, of each cluster, direction and partition apart.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { COPIED_FILE, CopiedDatabase, type Direction } from '../../../src/copy/copied-database.ts'
import type { CopiedState } from '../../../workers/copy/copied-states.ts'
import { temporaryFolder } from '../../support/server.ts'

const KEY = { venue: 'kalshi', market: 'KX', date: '2026-07-20' } as const
const state = (source: string, target: string, records: string): CopiedState => ({ key: KEY, source, target, records })

test('what was noted is known, until later states are settled', () => {
  using folder = temporaryFolder()
  const open = (cluster: string, direction: Direction) =>
    new CopiedDatabase(join(folder.path, COPIED_FILE), cluster, direction)
  const known = (cluster: string, direction: Direction, key: CopiedState['key'] = KEY) => {
    const states = open(cluster, direction)
    const found = ['r1', 'r2'].filter((records) => states.isCopied(key, records))
    const copies = [['s1', 't1'] as const, ['t1', 's1'] as const, ['s2', 's2'] as const].filter(([source, target]) =>
      states.isCopyOf(key, source, target),
    )
    states.close()
    return [...found, ...copies.map((copy) => copy.join(' '))]
  }
  const states = open('a', 'push')
  states.note([state('s1', 't1', 'r1')])
  expect(known('a', 'push')).toEqual(['r1', 's1 t1'])
  expect(known('a', 'pull')).toEqual([])
  expect(known('b', 'push')).toEqual([])
  for (const other of [{ market: 'KY' }, { date: '2026-07-21' }, { venue: 'polymarket' as const }]) {
    expect(known('a', 'push', { ...KEY, ...other })).toEqual([])
  }
  states.note([state('s2', 's2', 'r2')])
  expect(known('a', 'push')).toEqual(['r1', 'r2', 's1 t1', 's2 s2'])
  states.settle([state('s2', 's2', 'r2')])
  expect(known('a', 'push')).toEqual(['r2', 's2 s2'])
  // The same bytes are a copy both ways.
  expect(known('a', 'pull')).toEqual(['r2', 's2 s2'])
  states.close()
})
