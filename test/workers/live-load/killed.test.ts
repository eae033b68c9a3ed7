// However and whenever a recorder ends, the next start loads every acknowledged frame of its segments exactly once,
// and the store has no damage.

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openStore } from '../../../storage/open-store.ts'
import { LiveLoad } from '../../../workers/live-load/live-load.ts'
import { newLeftoverReport } from '../../../workers/live-load/live-loading.ts'
import { findSegment, loadedFolder, newFolder, segmentsBelow } from '../../../workers/segment/segment-folder.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { searchDamageIn } from '../../support/finding/search-damage.ts'
import { TestStore, withStore } from '../../support/store.ts'
import { storedContents } from './stored-contents.ts'

/** Records with one connection after the other, and prints to stdout how many frames the disk has. */
const RECORDER = `
  const { LiveLoader } = await import('${resolve('workers/live-load/live-loader.ts')}')
  const { Connection, venueMessages } = await import('${resolve('test/workers/live-load/recording.ts')}')
  const { Random } = await import('${resolve('workers/synthetic/random.ts')}')
  const [folder, seed] = process.argv.slice(1)
  const loader = new LiveLoader({ dataFolder: folder, commitSeconds: 0.02, queuedBytesMax: 20_000, retentionDays: null })
  const random = new Random(Number(seed), 'killed')
  let frames = 0
  let number = 0
  let connection
  const open = () => { connection = new Connection(folder, { connection: 'c' + number++, nowMs: Date.now, clock: 'replay' }) }
  open()
  for (const message of venueMessages(random, 1e9)) {
    connection.receive(message)
    frames++
    if (random.chance(0.02)) {
      const last = random.chance(0.1)
      loader.add(connection.segment.name, last ? connection.segment.close() : connection.segment.flush())
      process.stdout.write(frames + '\\n')
      if (last) { loader.closed(connection.segment.name); open() }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
`

async function killedAfter(folder: string, seed: number, lines: number): Promise<number> {
  const child = Bun.spawn([process.execPath, '-e', RECORDER, folder, String(seed)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += piece
    if (output.split('\n').length > lines) child.kill('SIGKILL')
  }
  await child.exited
  return Number(output.trimEnd().split('\n').at(-1))
}

const framesIn = (paths: string[]): number => {
  const texts = paths.map((path) => Bun.zstdDecompressSync(readFileSync(path)).toString())
  return texts.reduce((sum, text) => sum + text.split('\n{"recv_ns"').length - 1, 0)
}

describe('a recorder that is killed', () => {
  test.each([
    [1, 3],
    [2, 40],
    [3, 90],
  ])(
    'loses nothing that its segments acknowledged, and repeats nothing (%d)',
    async (seed, lines) => {
      const folder = mkdtempSync(join(tmpdir(), 'killed-'))
      try {
        const acknowledged = await killedAfter(folder, seed, lines)
        const store = openStore(folder)
        const load = new LiveLoad(store, { dataFolder: folder, nowMs: Date.now })
        const report = newLeftoverReport()
        for (const name of segmentsBelow(newFolder(folder))) await load.loadLeftover(name, report)
        expect(report.errors).toEqual([])
        expect(segmentsBelow(newFolder(folder))).toEqual([])
        const paths = segmentsBelow(loadedFolder(folder)).map((name) => findSegment(loadedFolder(folder), name)!)
        expect(framesIn(paths)).toBeGreaterThanOrEqual(acknowledged)
        expect(await verifyStore(store)).toMatchObject({ damage: [], storeDamage: [] })
        expect(await searchDamageIn(folder)).toEqual([])
        const restored = new TestStore(() => store)
        const contents = await storedContents(restored)
        await withStore(async (anew) => {
          await anew.load(...paths)
          expect(contents).toEqual(await storedContents(anew))
        })
        await restored.close()
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    30_000,
  )
})
