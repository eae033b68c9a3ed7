// Goal: what is known of a market beside its records is copied with it, once.

import { describe, expect, test } from 'bun:test'
import { type ArchiveLoad, NO_ROWS } from '../../../storage/finding/provenance.ts'
import { CONDITION, priceChange } from '../../model/lines.ts'
import { ALL, DATES, load, withTwo } from '../../support/copy/two-stores.ts'
import type { AnyStore } from '../../support/store.ts'

const CARD = { title: 'M', subtitle: null, slug: 'the-market', event: 'the-event', outcomes: [] }
const LOAD: ArchiveLoad = {
  ...{
    source: 'archive',
    format: 'pmxt-v2',
    file: 'a.parquet',
    url: null,
    bytes: 9,
    sha256: null,
    rows: 7,
    records: 7,
  },
  ...{ publisherSha256: null, markets: null, licence: null, attribution: null, clock: 'none', order: 'none' },
  ...{ hashKept: false, isRebuilt: false, repairs: [], leftOut: 0, startedAt: 1, finishedAt: 2, checkpoint: null },
}

describe('what is known beside the records', () => {
  const venue = 'polymarket' as const
  const said = { ...{ venue, market: CONDITION, said: { a: 1 }, saidMs: 5 }, card: CARD }
  const event = { venue, event: 'the-event', card: { title: 'Event', subtitle: null }, said: { b: 2 }, saidMs: 6 }
  const hour = { source: 'archive', venue, market: CONDITION, hourMs: Date.parse(DATES[0]!), ...NO_ROWS, rows: 7 }

  async function known({ store: { catalogue } }: AnyStore) {
    return structuredClone({
      market: await catalogue.knownMarket(venue, CONDITION),
      slugs: [await catalogue.slug('the-event'), await catalogue.slug('the-market')],
      audits: await catalogue.audits(venue, CONDITION),
      quality: await catalogue.quality(venue, CONDITION),
      loads: await catalogue.loads(),
    })
  }

  test('is the same, however often it is copied; loads only with all of the store', () =>
    withTwo(['lmdb', 'cluster'], async ({ from, to, copy }) => {
      await load(from, [JSON.stringify(priceChange(0, { price: '0.5', size: '1' }))])
      const { catalogue } = from.store
      await catalogue.putMetadata({ markets: [said], events: [event] }, 77)
      const market = { question: 'Q', conditionId: CONDITION, slug: 'the-market', asset_ids: ['1'], outcomes: ['Yes'] }
      const titled = { slug: 'the-event', title: 'Event' }
      const slugs = { events: [{ event: titled, markets: [market] }], markets: [{ event: titled, markets: [market] }] }
      await catalogue.putSlugs(slugs)
      const audits = [{ atUs: 1, book: null, result: 'exact' as const }]
      await catalogue.putAudits([{ venue, market: CONDITION, date: DATES[0]!, audits }])
      await catalogue.putLoads([LOAD], [hour])
      await copy({ ...ALL, markets: [CONDITION] })
      to.store.refresh()
      const { loads, ...rest } = await known(from)
      expect(await known(to)).toEqual({ ...rest, loads: [] })
      for (const _ of [1, 2]) {
        await copy()
        to.store.refresh()
        expect(await known(to)).toEqual({ ...rest, loads })
      }
      await catalogue.putLoads([], [hour])
      await copy()
      to.store.refresh()
      expect((await known(to)).quality).toEqual((await known(from)).quality)
      expect((await known(to)).quality[0]!.hours[0]!.rows).toBe(14)
    }))
})
