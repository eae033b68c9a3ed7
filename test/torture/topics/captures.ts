// Captures with every kind of damage to bytes, JSON and compression.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestStore } from '../../support/store.ts'
import type { Round, TortureTopic } from '../topic.ts'
import { BaseLines } from './captures/base-lines.ts'
import { checkBroken, checkLoad } from './captures/check-load.ts'
import { captureFile } from './captures/mutate-file.ts'
import { mutateLines } from './captures/mutate-lines.ts'
import { Watchdog } from './captures/watchdog.ts'

const ROUND_SECONDS_MAX = 120

async function round(base: BaseLines, { random, tally }: Round): Promise<void> {
  const lines = base.some(random)
  if (random.chance(0.2)) lines.splice(random.below(lines.length), 0, ...base.some(random))
  mutateLines(lines, random)
  const file = captureFile(lines, random)
  const store = new TestStore()
  try {
    const path = join(store.folder, file.ending === '' ? 'capture' : `capture.${file.ending}`)
    writeFileSync(path, file.bytes)
    if (file.isWhole) await checkLoad(store, path, file.text, random, tally)
    else await checkBroken(store, path, tally)
  } finally {
    await store.close()
  }
}

export const topic: TortureTopic = {
  title: 'captures with damaged bytes, odd JSON and broken compression: nothing is lost, misread or loaded twice',
  smokeRounds: 30,
  smokeTally: ['records', 'rejects', 'summaries compared', 'files cut off or damaged'],
  async prepare() {
    const base = new BaseLines()
    const watchdog = new Watchdog(ROUND_SECONDS_MAX)
    return {
      round: (context) => watchdog.watch(() => round(base, context)),
      close: () => watchdog.close(),
    }
  },
}
