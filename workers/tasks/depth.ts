// Depth of one book over time.

import { SECOND_MS } from '../../storage/units.ts'
import { type DepthRequest, tableOfDepth } from '../depth/depth-table.ts'
import type { SummaryHead } from '../requests.ts'
import { tableTask } from './table-task.ts'

/** Of a row beside its levels, bands and sizes; of each of those on both sides. */
const [ROW_BYTES, LEVEL_BYTES, BAND_BYTES, SIZE_BYTES] = [72, 24, 16, 32]
const SMALL_BYTES = 2 ** 20

export const depthTask = tableTask<DepthRequest, SummaryHead>({
  name: 'depth',
  weight({ fromMs, toMs, resolutionSeconds, levels, bands, sizes }) {
    const rowBytes = ROW_BYTES + LEVEL_BYTES * levels + BAND_BYTES * bands.length + SIZE_BYTES * sizes.length
    const bytes = ((toMs - fromMs) / (resolutionSeconds * SECOND_MS)) * rowBytes
    return bytes < SMALL_BYTES ? 0 : bytes
  },
  async table(store, request) {
    const { dataPoints, table } = await tableOfDepth(store, request)
    return { head: { dataPoints }, table, about: { data_points: dataPoints } }
  },
})
