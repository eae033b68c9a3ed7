// The cache of depth studies: depth near the mid and imbalance of the best sizes, in buckets of the depth summary.

import { askBuckets, cachedWindows, windowName } from '../book-windows.ts'
import type { TimeWindow } from '../buckets/bucket-window.ts'
import { ofSide } from '../no-side/of-side.ts'

/** Values at the end of each bucket, NaN where unknown. Depth is in contracts; `imbalance` is from −1 (only asks) to
 *  1. */
export type DepthStudy = {
  timestamp: Float64Array
  imbalance: Float64Array
  bidDepth: Float64Array
  askDepth: Float64Array
}

/** `cents` is the greatest distance from the mid at which an order counts. */
type StudyWanted = { window: TimeWindow; cents: number }

export const { take: depthStudy } = cachedWindows<StudyWanted, DepthStudy>({
  bytesMax: 8 * 1024 * 1024,
  bytesOf: ({ timestamp }) => timestamp.length * 32,
  nameOf: (book, { window, cents }) => `${windowName(book, window)} ${cents}`,
  load: async (book, { window, cents }, signal) => {
    const band = cents / 100
    const [bid, ask] = [`bid_depth_within_${band}`, `ask_depth_within_${band}`]
    const names = ['timestamp', 'imbalance', bid, ask]
    const { columns } = await askBuckets(book, 'depth-summary', window, names, signal, { bands: band })
    const { timestamp, imbalance, [bid]: bidDepth, [ask]: askDepth } = columns
    const study = { timestamp: timestamp!, imbalance: imbalance!, bidDepth: bidDepth!, askDepth: askDepth! }
    return ofSide(book, study, ({ flippedStudy }) => flippedStudy)
  },
})
