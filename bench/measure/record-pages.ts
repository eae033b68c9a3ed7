// Reads raw records of a day, page by page through cursors.

import { DAY_MS } from '../../storage/units.ts'
import { type Asked, askBytes } from './http-client.ts'

/** Returns the bodies of all pages of a day by following `next_cursor`. */
export async function pagesOf(
  server: Asked,
  { market, fromMs }: { market: string; fromMs: number },
  limit: number,
): Promise<Uint8Array[]> {
  const range = `ticker=${market}&start_timestamp=${fromMs}&end_timestamp=${fromMs + DAY_MS - 1}&limit=${limit}`
  const bodies: Uint8Array[] = []
  let cursor: string | null = null
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`
    const body = await askBytes(server, `/api/v1/kalshi/market/data/range?${range}${after}`)
    bodies.push(body)
    cursor = /"next_cursor":(?:null|"([^"]+)")/.exec(Buffer.from(body.subarray(0, 1_000)).toString())?.[1] ?? null
  } while (cursor !== null)
  return bodies
}

/** Returns a page without its envelope, whose cursors are signed with a secret of each store. */
export function dataOf(body: Uint8Array): Uint8Array {
  const start = Buffer.from(body.subarray(0, 2_000)).indexOf('"data":')
  return body.subarray(start)
}
