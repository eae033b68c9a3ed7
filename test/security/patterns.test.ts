// No regular expression of the program takes more than a moment for a text that a client can send: the attack on all of
// them ends, which with one that tries every way to split a text it would not in a lifetime.

import { expect, test } from 'bun:test'
import { join } from 'node:path'

const PATIENCE_MS = 100_000

test(
  'every pattern answers to every text',
  async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'attack-patterns.ts')], { stdout: 'pipe' })
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    const told = (await child.stdout.text()).trimEnd().split('\n')
    clearTimeout(timer)
    // Of an attack that was ended, the last line names the pattern.
    expect(told.at(-1)).toMatch(/^done [0-9]+ [0-9]+$/)
    const [, patterns, runs] = told.at(-1)!.split(' ').map(Number)
    expect(patterns).toBeGreaterThan(80)
    expect(runs).toBeGreaterThan(20_000)
  },
  PATIENCE_MS + 10_000,
)
