// No regular expression of the program takes long for any text that a client can send. The test attacks all of them.
// The attack would never end if an expression tried every way to split a text.

import { expect, test } from 'bun:test'
import { join } from 'node:path'

const PATIENCE_MS = 100_000

test(
  'every pattern ends for every text',
  async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'attack-patterns.ts')], { stdout: 'pipe' })
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    const outputLines = (await child.stdout.text()).trimEnd().split('\n')
    clearTimeout(timer)
    // If the attack was ended, its last line names the pattern.
    expect(outputLines.at(-1)).toMatch(/^done [0-9]+ [0-9]+$/)
    const [, patterns, runs] = outputLines.at(-1)!.split(' ').map(Number)
    expect(patterns).toBeGreaterThan(80)
    expect(runs).toBeGreaterThan(20_000)
  },
  PATIENCE_MS + 10_000,
)
