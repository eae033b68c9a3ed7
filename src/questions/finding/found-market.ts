// Fields of a found market in answers: its title, event and outcomes, and what is stored of it.

import { Type } from '@sinclair/typebox'
import type { MarketEntry } from '../../../storage/catalogue.ts'
import type { NamedEvent } from '../../../storage/finding/finding.ts'
import type { MarketCard } from '../../../storage/finding/metadata.ts'
import { count, day, flag, named, orNull, text } from '../../openapi/field.ts'
import { assetIdField } from '../market-fields.ts'

const event = named('MarketEvent', 'The event that a market is of', {
  id: text('Its ticker on Kalshi, its slug on Polymarket', 'KXDEMODAY-26JUL20'),
  title: orNull(text('Null if it is not known', 'Demo: highest temperature on July 20')),
})

const outcome = named('MarketOutcome', 'One outcome of a market', {
  outcome: text('Its name', 'Yes'),
  title: orNull(text('What the outcome means; null if the venue does not say', '50° or above')),
  asset_id: orNull({ ...assetIdField, description: 'Its token on Polymarket, null on Kalshi' }),
})

/** Fields that can be returned without reading a market's full metadata. */
export const cardFields = {
  title: orNull(text('The question, or the title', 'Demo: will it be 50° or above?')),
  subtitle: orNull(text('What distinguishes it within its event', '50° or above')),
  slug: orNull(text("Polymarket's name for it in addresses", 'demo-50-or-above')),
  event: orNull(event),
  outcomes: Type.Array(outcome, { description: 'In the order of the venue; empty if they are not known' }),
}

export const cardOf = (card: MarketCard | undefined, named: NamedEvent | null) => {
  const { title = null, subtitle = null, slug = null, outcomes = [] } = card ?? {}
  const event = named === null ? null : { id: named.id, title: named.title }
  return { title, subtitle, slug, event, outcomes: outcomes.filter(({ outcome }) => outcome !== '') }
}

/** Fields about a market's stored records. A market may have metadata and no records. */
export const storedFields = {
  has_data: flag('Whether a record of the market is stored', true),
  start_date: orNull(day('The first stored date; null without one')),
  end_date: orNull(day('The last stored date; null without one')),
  available_date_count: count('Stored dates', 1),
  record_count: count('Records of all dates', 99376),
}

export const storedOf = (entry: MarketEntry | undefined) => ({
  has_data: entry !== undefined,
  start_date: entry?.firstDate ?? null,
  end_date: entry?.lastDate ?? null,
  available_date_count: entry?.dateCount ?? 0,
  record_count: entry?.recordCount ?? 0,
})
