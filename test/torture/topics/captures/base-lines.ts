// The lines that mutated captures are made from: synthetic days of both venues, small random captures, messages with
// odd JSON, and the real captures if they are next to the project.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Random } from '../../../../workers/synthetic/random.ts'
import { syntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import { allCaptures } from '../../../support/captures.ts'
import { OddMessages } from '../../../workers/capture/odd-messages.ts'
import { RandomCapture } from '../../../workers/load/random-capture.ts'

const DATE = '2026-08-10'

export class BaseLines {
  readonly #days: string[][]
  readonly #captures: string[]

  constructor() {
    const day = syntheticDay({ date: DATE, seed: 7, kalshiRecords: 3_000, polymarketRecords: 3_000 })
    this.#days = [[...day.kalshiLines], [...day.polymarketLines]]
    this.#captures = allCaptures()
  }

  /** Returns a few dozen lines, in the order of their capture. */
  some(random: Random): string[] {
    const kind = random.fraction()
    if (kind < 0.35) return part(random.pick(this.#days), random)
    if (kind < 0.6) return new RandomCapture(random.uint32(), random.chance(0.5)).lines(random.between(5, 60))
    if (kind < 0.75 || this.#captures.length === 0) {
      const odd = new OddMessages(random.uint32())
      return Array.from({ length: random.between(3, 30) }, (_, index) => odd.next(index))
    }
    return part(realLines(random.pick(this.#captures)), random)
  }
}

function part(lines: string[], random: Random): string[] {
  const start = random.below(Math.max(1, lines.length - 80))
  return lines.slice(start, start + random.between(2, 80))
}

const cachedLines = new Map<string, string[]>()

// Takes only a few hundred lines of a file, because whole files would be too large.
function realLines(path: string): string[] {
  const known = cachedLines.get(path)
  if (known !== undefined) return known
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  const lines = text.split('\n', 600).filter((line) => line !== '' && line.length < 20_000)
  cachedLines.set(path, lines)
  return lines
}
