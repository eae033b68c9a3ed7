// Exports of a test's store into a folder, without the command.

import { chooseDays } from '../../../src/export/choose-days.ts'
import { ExportFolder } from '../../../src/export/export-folder.ts'
import { type ExportReport, runExport } from '../../../src/export/run-export.ts'
import { TARGETS } from '../../../src/export/targets.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { AnyStore } from '../store.ts'

type Wanted = {
  target: string
  venue: Venue
  market: string
  folder: string
  assetId?: string
  options?: Record<string, string>
}

/** Exports all stored days of a market. */
export async function exportMarket(
  tested: AnyStore,
  { target: name, venue, market, folder, assetId, options }: Wanted,
) {
  const target = TARGETS.find((each) => each.name === name)!
  const choice = { venue, markets: [market], event: undefined, dates: [], assetId }
  const markets = await chooseDays(tested.store.catalogue, choice)
  const defaults = Object.fromEntries(target.options.map((option) => [option.name, option.default]))
  const order = { target, markets, assetId, options: { ...defaults, ...options } }
  return runExport(tested.store, new ExportFolder(folder), order) satisfies Promise<ExportReport>
}
