// The task that returns a depth map of one book, as runs or as Arrow.

import { type DepthMapRequest, readDepthMap } from '../depth-map/depth-map.ts'
import { mapText } from '../depth-map/map-text.ts'
import { columnsOf, stepsOf } from '../depth-map/price-steps.ts'
import { metadataTexts } from '../table/encode-table.ts'
import type { Task } from '../task.ts'
import type { InFormat } from './table-task.ts'
import { weightOf } from './weight.ts'

export type DepthMapHead = { columns: number; known: [first: number, last: number][] }

/** Bytes per cell: rounded to 32-bit floats for Arrow, otherwise exact. */
const CELL_BYTES = { rounded: 4, exact: 8 }

const isRounded = ({ encoding }: InFormat<DepthMapRequest>) => encoding?.format === 'arrow'

export const depthMapTask: Task<InFormat<DepthMapRequest>, DepthMapHead> = {
  name: 'depth-map',
  weight(request) {
    const bytes = isRounded(request) ? CELL_BYTES.rounded : CELL_BYTES.exact
    return weightOf(bytes * columnsOf(request) * stepsOf(request.stepMicros))
  },
  async answer(store, { encoding = { format: 'json' }, ...request }) {
    const map = await readDepthMap(store, request, encoding.format === 'arrow')
    const { columns, known } = map
    const { format } = encoding
    if (format !== 'arrow') {
      return { head: { columns, known }, chunks: mapText(map, request, format === 'ndjson' ? 'ndjson' : 'json') }
    }
    const { mapArrow } = await import('../depth-map/map-arrow.ts')
    const metadata = metadataTexts({ ...encoding.metadata, columns, known })
    return { head: { columns, known }, chunks: mapArrow(map, metadata, encoding.columns) }
  },
}
