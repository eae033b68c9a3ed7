// `depth-map`: the sizes at each price of one book over time, as a server would answer.

import { depthMap } from '../../questions/depth-map.ts'
import { rowCommand } from './row-command.ts'

export const addDepthMapCommand = rowCommand({
  name: 'depth-map',
  question: depthMap,
  description: 'print the sizes of a book over price and time, for a picture, like the endpoint depth-map',
  unit: 'sizes',
  examples: [
    'backbook depth-map --venue kalshi --market KXDEMODAY-26JUL20-T50 --date 2026-07-20 -o day.arrow',
    'backbook depth-map --venue kalshi --market KXDEMODAY-26JUL20-T50 --aggregate mean --resolution-ms 1000 \\',
    '  --start 2026-07-20T12:00:00Z --end 2026-07-20T12:09:59Z > noon.ndjson',
  ],
})
