// The task that returns the depth of one book over time.

import { type DepthRequest, tableOfDepth } from '../depth/depth-table.ts'
import type { SummaryHead } from '../requests.ts'
import { tableTask } from './table-task.ts'
import { bucketsIn, weightOf } from './weight.ts'

/** Bytes of a row without its levels, bands and sizes. Then the bytes of each level, each band and each size, for both
 *  sides together. */
const [ROW_BYTES, LEVEL_BYTES, BAND_BYTES, SIZE_BYTES] = [72, 24, 16, 32]

export const depthTask = tableTask<DepthRequest, SummaryHead>({
  name: 'depth',
  weight(request) {
    const { levels, bands, sizes } = request
    const rowBytes = ROW_BYTES + LEVEL_BYTES * levels + BAND_BYTES * bands.length + SIZE_BYTES * sizes.length
    return weightOf(bucketsIn(request) * rowBytes)
  },
  async table(store, request) {
    const { dataPoints, table } = await tableOfDepth(store, request)
    return { head: { dataPoints }, table, about: { data_points: dataPoints } }
  },
})
