// Captures that are made to exhaust the process that loads them. The load ends, its memory stays bounded, and it stores
// every valid record.

import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TortureTopic } from '../topic.ts'
import { BOMBS, writeBomb } from './bombs/bombs.ts'
import type { LoadTaken } from './bombs/load-child.ts'

const LOAD_MS_MAX = 1_800_000
const SMOKE_SCALE = 0.008
const CHILD = join(import.meta.dir, 'bombs/load-child.ts')

/** Loads a capture. Resolves to the peak memory of the process that loads it, MB. */
async function drop(index: number, folder: string, isSmoke: boolean): Promise<number> {
  const bomb = BOMBS[index]!
  const data = join(folder, 'data')
  const capture = join(folder, `bomb.${bomb.ending}`)
  mkdirSync(data)
  try {
    const scale = isSmoke ? SMOKE_SCALE : 1
    writeBomb(bomb, capture, scale)
    const records = typeof bomb.records === 'number' ? bomb.records : bomb.records(scale)
    const child = Bun.spawn([process.execPath, CHILD, data, capture], { stdout: 'pipe', timeout: LOAD_MS_MAX })
    const text = await child.stdout.text()
    assert.equal(await child.exited, 0, `${bomb.name}: the load does not end`)
    const { report, damage, peakMb } = JSON.parse(text) as LoadTaken
    assert.deepEqual([report.records, report.rejected], [records, bomb.rejected], bomb.name)
    if (bomb.reason !== undefined) assert.match(report.rejects[0]!.reason, bomb.reason)
    if (bomb.error === undefined) assert.equal(report.error, null, bomb.name)
    else assert.match(report.error!, bomb.error)
    assert.deepEqual(damage, [])
    assert(peakMb <= bomb.peakMbMax, `${bomb.name} took ${peakMb} MB, at most ${bomb.peakMbMax} are its due`)
    return peakMb
  } finally {
    rmSync(data, { recursive: true, force: true })
    rmSync(capture, { force: true })
  }
}

export const topic: TortureTopic = {
  title: 'captures made to exhaust the loader: it ends, in bounded memory, with everything that is sound',
  smokeRounds: 1,
  smokeTally: BOMBS.map(({ name }) => name),
  async prepare() {
    let next = 0
    return {
      // Each full round tries the next capture. The only smoke round tries all.
      async round(context) {
        const count = context.isSmoke ? BOMBS.length : 1
        for (let i = 0; i < count; i++, next++) {
          const index = next % BOMBS.length
          const peakMb = await drop(index, context.folder, context.isSmoke)
          context.tally.add(BOMBS[index]!.name)
          context.tally.add(`MB: ${BOMBS[index]!.name}`, peakMb)
        }
      },
      close: async () => undefined,
    }
  },
}
