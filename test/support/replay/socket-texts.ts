// Returns the texts that a replay sends for one captured message.

import type { Venue } from '../../../storage/venue.ts'
import { framesIn, RecordFrame, WHOLE } from '../../../workers/replay/record-frames.ts'
import { replayPage } from '../../../workers/replay/replay-page.ts'
import { memoryStore } from '../memory-store/memory-store.ts'
import { TestStore } from '../store.ts'
import { T0 } from './kalshi-lines.ts'

/** Returns the sent texts. For Kalshi, returns only the part under `msg`, or all of a message that is stored whole. */
export async function socketTexts(venue: Venue, message: string): Promise<unknown[]> {
  const made = new TestStore(() => memoryStore())
  await made.loadLines('one.ndjson', [`{"recv_ms":${T0 + 1_300},"event":${message}}`])
  const { markets } = await made.store.catalogue.markets(venue, { prefix: '', offset: 0, limit: 1 })
  const from = { venue, market: markets[0]!, fromMs: 0, toMs: T0 + 86_400_000, after: null, limit: 100 } as const
  const { frames } = await replayPage(made.store, { ...from, text: 'socket' })
  const found: unknown[] = []
  for (const packed of framesIn(Buffer.concat(frames))) {
    const frame = new RecordFrame(packed)
    for (let i = 0; i < frame.count; i++) {
      const whole = (frame.kinds[i]! & WHOLE) !== 0 || venue === 'polymarket'
      const text = JSON.parse(frame.text(i)) as object
      found.push(whole ? text : { msg: text })
    }
  }
  await made.close()
  return found
}
