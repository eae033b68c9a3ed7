// Goal: a reader sees all of another process' commit or nothing of it, even if that process is killed meanwhile. An
// acknowledged commit stays.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Rows } from '../../../storage/rows/rows.ts'
import { onEachStoredEngine } from './each-engine.ts'
import { NUMBERED, numberOf } from './writer.ts'

const KILLS = 8
const FIRST = NUMBERED[0]!
const AFTER_LAST = `${NUMBERED.at(-1)!}\0`

/** Reads the number in all rows. All rows must have the same one. */
async function readNumber(rows: Rows): Promise<number> {
  const values = await rows.get(NUMBERED, true)
  const ranged = await rows.range({ from: FIRST, to: AFTER_LAST, limit: 1_000 })
  for (const seen of [values, ranged.map(({ value }) => value)]) {
    expect(new Set(seen.map(numberOf)).size).toBeLessThanOrEqual(1)
  }
  // The range was read after the values.
  expect(numberOf(ranged[0]?.value)).toBeGreaterThanOrEqual(numberOf(values[0]))
  return numberOf(values[0])
}

/** Returns the last number after this word in the output of a writer. */
const lastNumber = (printed: string, word: string): number =>
  Math.max(0, ...[...printed.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map((match) => Number(match[1])))

onEachStoredEngine(({ open }) => {
  test('a reader in another process sees whole commits, also if the writer is killed', async () => {
    await using engine = await open()
    const { rows, place } = engine
    let seen = 0
    for (let round = 0; round < KILLS; round++) {
      const script = join(import.meta.dir, 'writer.ts')
      const writer = Bun.spawn([process.execPath, script, JSON.stringify(place)], { stdout: 'pipe', stderr: 'inherit' })
      const printed = new Response(writer.stdout).text()
      // The reader reads during several commits before the writer is killed.
      for (const first = seen; seen < first + 3 + round; await Bun.sleep(0)) {
        // Otherwise this would wait for ever if the writer has ended by itself.
        expect([writer.exitCode, writer.signalCode]).toEqual([null, null])
        const number = await readNumber(rows)
        expect(number).toBeGreaterThanOrEqual(seen)
        seen = number
      }
      writer.kill('SIGKILL')
      await writer.exited
      seen = await readNumber(rows)
      expect(seen).toBeGreaterThanOrEqual(lastNumber(await printed, 'done'))
      expect(seen).toBeLessThanOrEqual(lastNumber(await printed, 'begun'))
    }
  })
})
