// Copies what is known of a market besides its records: metadata, answers to slugs, and audits. Copying it again
// changes nothing.

import type { SlugAnswers } from '../../storage/catalogue.ts'
import type { Copying, MarketName } from './market-copy.ts'

type Stores = Pick<Copying, 'source' | 'target'>

export async function copyMetadata({ source, target }: Stores, { venue, market }: MarketName): Promise<void> {
  const known = await source.catalogue.knownMarket(venue, market)
  if (known === undefined) return
  const { card, said, saidMs, loadedMs, event } = known
  await target.catalogue.putMetadata({ markets: [{ venue, market, card, said, saidMs }], events: [] }, loadedMs)
  if (event?.said) {
    const { loadedMs: eventLoadedMs, ...rest } = event.said
    await target.catalogue.putMetadata({ markets: [], events: [{ venue, event: event.id, ...rest }] }, eventLoadedMs)
  }
  const slugs = new Set([card.slug, event?.id].filter((slug) => typeof slug === 'string' && slug !== ''))
  const answers: SlugAnswers = { events: [], markets: [] }
  for (const slug of slugs) {
    const answer = await source.catalogue.slug(slug!)
    if (answer === undefined) continue
    if (answer.event?.slug === slug) answers.events.push(answer)
    else if (answer.markets[0]?.slug === slug) answers.markets.push(answer)
  }
  if (answers.events.length + answers.markets.length > 0) await target.catalogue.putSlugs(answers)
}

/** Copies the audits of `dates`. Both stores must have the same records of these dates. */
export async function copyAudits(
  { source, target }: Stores,
  { venue, market }: MarketName,
  dates: ReadonlySet<string>,
): Promise<void> {
  const audits = (await source.catalogue.audits(venue, market)).filter(({ date }) => dates.has(date))
  if (audits.length > 0) await target.catalogue.putAudits(audits)
}
