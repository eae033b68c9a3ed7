// Stores the audits of a segment: how the recorder's books compared with the venue's.

import type { Catalogue } from '../../storage/catalogue.ts'
import { AUDIT_RESULTS, type Audit, type AuditResult, type MarketAudits } from '../../storage/finding/audits.ts'
import { utcDate } from '../../storage/units.ts'
import { IDENTITIES, VENUES } from '../../storage/venue.ts'
import type { JsonObject } from '../venues/described-message.ts'

const MARKET_LENGTH_MAX = 128
const TIME_MAX_US = Date.UTC(2100, 0, 1) * 1_000

/** Stores the audits in `lines` and returns their number. Skips lines that are not a valid audit. */
export async function storeAudits(catalogue: Pick<Catalogue, 'putAudits'>, lines: JsonObject[]): Promise<number> {
  const audited = lines.map(auditIn).filter((audit) => audit !== undefined)
  if (audited.length === 0) return 0
  const markets = Map.groupBy(audited, ({ venue, market, date }) => `${venue} ${market} ${date}`)
  await catalogue.putAudits(
    [...markets.values()].map((same) => ({ ...same[0]!, audits: same.flatMap(({ audits }) => audits) })),
  )
  return audited.length
}

function auditIn({
  at_ns: atNs,
  venue: of,
  market: id,
  asset_id: asset,
  result,
}: JsonObject): MarketAudits | undefined {
  const venue = VENUES.find((each) => each === of)
  const atUs = typeof atNs === 'number' ? Math.floor(atNs / 1_000) : Number.NaN
  const isMarket = typeof id === 'string' && id !== '' && id.length <= MARKET_LENGTH_MAX && /^[\w.-]+$/.test(id)
  if (venue === undefined || !isMarket || !(atUs > 0 && atUs < TIME_MAX_US) || !isResult(result)) return undefined
  const audit: Audit = { atUs, book: typeof asset === 'string' ? asset : null, result }
  const market = IDENTITIES[venue].canonical(id)
  return { venue, market, date: utcDate(Math.floor(atUs / 1_000)), audits: [audit] }
}

const isResult = (value: unknown): value is AuditResult => AUDIT_RESULTS.some((each) => each === value)
