// Reads saved pages of raw records as EntityML's API and this server's API return them. Each page names its market,
// and has records under `data`. If a page repeats the last records of the page before, reads them once.

import { isObject } from '../../venues/described-message.ts'
import { frameArchive } from '../frames/frame-archive.ts'
import { jsonValues } from '../text/json-values.ts'

const encoder = new TextEncoder()

export const entitymlPages = frameArchive(
  {
    name: 'entityml-pages',
    description: "pages of raw records of EntityML's API, and of this one (JSON)",
    source: 'entityml',
    attribution: 'EntityML',
  },
  async (file, lines, onProgress) => {
    let rows = 0
    const last = new Map<string, string[]>()
    let number = 0
    for await (const { values, fileBytes } of jsonValues(file)) {
      for (const page of values) {
        number++
        const market = isObject(page) ? (page['market_condition_id'] ?? page['market_ticker']) : undefined
        if (!isObject(page) || typeof market !== 'string' || !Array.isArray(page['data'])) {
          const why = 'the value must be a page, with its market and records under data'
          rows++
          lines.reject(number, why, encoder.encode(JSON.stringify(page)))
          continue
        }
        const records = page['data'].map((record) => lineOf(record, market))
        const known = overlap(last.get(market) ?? [], records)
        for (const record of records.slice(known)) {
          const line = encoder.encode(record)
          lines.line(line, 0, line.length, number)
          rows++
        }
        last.set(market, records)
      }
      onProgress(fileBytes)
    }
    return rows
  },
)

/** Returns a record as JSON text. A Polymarket gap does not name its market, so the page's market is added. */
function lineOf(record: unknown, market: string): string {
  const isUnnamed = isObject(record) && record['type'] === 'gap' && !('ticker' in record) && !('market' in record)
  return JSON.stringify(isUnnamed ? { ...record, market } : record)
}

/** Returns how many records at the start of a page repeat the last records of the page `before`. */
function overlap(before: readonly string[], records: readonly string[]): number {
  for (let count = Math.min(before.length, records.length); count > 0; count--) {
    let isSame = true
    for (let i = 0; i < count && isSame; i++) isSame = before[before.length - count + i] === records[i]
    if (isSame) return count
  }
  return 0
}
