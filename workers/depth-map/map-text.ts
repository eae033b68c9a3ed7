// Prints a depth map as text: runs of columns with the same size, as a JSON array or one per line.

import { MICROS } from '../../storage/units.ts'
import type { DepthMap } from './depth-map.ts'
import type { Sizes } from './price-steps.ts'

const CHUNK_CHARACTERS = 128 * 1_024
const encoder = new TextEncoder()

type Columns = { fromMs: number; resolutionMs: number }

/** Yields runs by price, then by time. `from` and `to` are Unix ms; `to` is exclusive, the start of the next column. */
export function* mapText({ rows }: DepthMap, columns: Columns, layout: 'json' | 'ndjson'): Generator<Uint8Array> {
  const [before, end] = layout === 'json' ? [',', ''] : ['', '\n']
  let text = layout === 'json' ? '[' : ''
  let isFirst = true
  for (const { price, sizes } of rows) {
    for (const run of runsOf(price, sizes, columns)) {
      text += `${isFirst ? '' : before}${run}${end}`
      isFirst = false
      if (text.length < CHUNK_CHARACTERS) continue
      yield encoder.encode(text)
      text = ''
    }
  }
  if (layout === 'json') text += ']'
  if (text !== '') yield encoder.encode(text)
}

function* runsOf(price: number, sizes: Sizes, { fromMs, resolutionMs }: Columns): Generator<string> {
  for (let first = 0; first < sizes.length; ) {
    const size = sizes[first]!
    let next = first + 1
    while (next < sizes.length && sizes[next] === size) next++
    const [from, to] = [first, next].map((column) => fromMs + column * resolutionMs)
    if (size !== 0) yield `{"price":${price / MICROS},"from":${from},"to":${to},"size":${size}}`
    first = next
  }
}
