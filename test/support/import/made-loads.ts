// A load of an archive's file, made up.

import type { ArchiveLoad } from '../../../storage/finding/provenance.ts'

export const LOAD: ArchiveLoad = {
  source: 'pmxt-v2',
  format: 'pmxt-v2',
  file: '2026-08-10T12.parquet',
  url: 'https://archive.example/2026-08-10T12.parquet',
  bytes: 500,
  sha256: 'ab'.repeat(32),
  publisherSha256: null,
  markets: null,
  licence: 'CC BY 4.0',
  attribution: 'pmxt.dev',
  clock: 'batch',
  order: 'file',
  hashStored: false,
  isRebuilt: true,
  repairs: [],
  rows: 10,
  records: 8,
  startedAt: 5,
  finishedAt: null,
  checkpoint: '7',
}
