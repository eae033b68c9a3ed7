// The recorder reads from record.toml exactly what a watch list selects.

import { expect, test } from 'bun:test'
import { recordConfigOf } from '../../src/record/venues/read-record-config.ts'
import { recordToml, type Selected } from './record-toml.ts'

const read = (toml: string) =>
  recordConfigOf(Bun.TOML.parse(toml) as Record<string, unknown>, { folder: '.', variables: {}, name: 'record.toml' })

test('the recorder selects each market and event once, by venue', () => {
  const selected: Selected[] = [
    { venue: 'polymarket', list: 'slugs', ids: ['will-it-rain'] },
    { venue: 'kalshi', list: 'tickers', ids: ['KXRAIN-26AUG-T1.5'] },
    { venue: 'polymarket', list: 'asset_ids', ids: ['7', '8'] },
    { venue: 'kalshi', list: 'events', ids: ['KXRAIN-26SEP'] },
    { venue: 'kalshi', list: 'tickers', ids: ['KXSUN-26AUG'] },
    { venue: 'polymarket', list: 'events', ids: ['a "hostile"\nall = true'] },
    { venue: 'polymarket', list: 'slugs', ids: ['will-it-rain'] },
  ]
  const { kalshi, polymarket } = read(recordToml(selected))
  expect(kalshi!.tickers).toEqual(['KXRAIN-26AUG-T1.5', 'KXSUN-26AUG'])
  expect(kalshi!.selection).toMatchObject({ all: false, events: ['KXRAIN-26SEP'], series: [] })
  expect(polymarket!.assetIds).toEqual(['7', '8'])
  expect(polymarket!.selection).toMatchObject({
    ...{ all: false, slugs: ['will-it-rain'] },
    events: ['a "hostile"\nall = true'],
  })
})

test('a venue without a selection has no section', () => {
  const lost: Selected = { venue: 'polymarket', list: 'asset_ids', ids: [] }
  expect(recordToml([lost])).toBe('')
  expect(recordToml([lost, { venue: 'kalshi', list: 'events', ids: ['KXRAIN-26SEP'] }])).toBe(
    '[kalshi]\nevents = [\n  "KXRAIN-26SEP"\n]\n',
  )
})
