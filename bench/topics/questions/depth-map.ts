// Measures the depth of a day of 2 million records as a map for a picture.

import { DAY_MS, SECOND_MS } from '../../../storage/units.ts'
import { busyDays } from '../../datasets/busy-days.ts'
import { askNew } from '../../measure/new-questions.ts'
import { startBackbook } from '../../servers/backbook-server.ts'
import type { Topic } from '../../topic.ts'

/** Asks for 1,440 columns of one minute, and a row for each tenth of a cent. */
const CELLS = 'resolution_ms=60000&price_step=0.001'

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, busiest } = await busyDays(size)
    const server = await startBackbook(data)
    for (const aggregate of ['max', 'mean', 'last']) {
      const map = `/api/v1/kalshi/market/depth-map?ticker=${busiest.market}&${CELLS}&aggregate=${aggregate}&format=arrow`
      const name = `depth map, 1,440 × 1,001, ${aggregate}`
      // The same number of columns in each query, starting one second apart.
      const path = (number: number) => `${map}&${windowFrom(busiest.fromMs + number * SECOND_MS)}`
      await askNew(findings, server, { name, path, target: { atMost: 250 } }, size)
    }
    await server.stop()
  },
}

const windowFrom = (fromMs: number) => `start_timestamp=${fromMs}&end_timestamp=${fromMs + DAY_MS - 1}`
