// Measures the bytes of a stored record: the whole file, free pages included, then blocks, heads and states, and
// rollups. For comparison, measures the Parquet files that DuckDB makes of the same captures.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { blockPart, statePart } from '../../storage/block-store.ts'
import { encodeHead } from '../../storage/format/partition-head-codec.ts'
import { openStore } from '../../storage/open-store.ts'
import { partsOfPartition } from '../../workers/partition/needed-parts.ts'
import { partsOf } from '../../workers/partition/rollups.ts'
import { captureStore } from '../datasets/capture-store.ts'
import { kalshiCaptures, realCaptures } from '../datasets/real-captures.ts'
import type { Venue } from '../datasets/synthetic-capture.ts'
import { parquetSizes } from '../peers/duckdb-capture.ts'
import { arePeersInstalled, NOT_INSTALLED } from '../peers/installed-peers.ts'
import type { Findings, Target, Topic, TopicContext } from '../topic.ts'

export const topic: Topic = {
  prepare: async (context) => void (await Promise.all([stores(context), peerSizes(context)])),
  async run(context, findings) {
    const { isReal, kalshi, polymarket } = await stores(context)
    findings.note(`Kalshi is ${isReal ? 'the real captures' : 'a synthetic day'}`)
    const ours = await measureStore(findings, 'Kalshi', kalshi, isReal ? { atMost: 5.1 } : undefined)
    if (polymarket !== undefined) await measureStore(findings, 'Polymarket', polymarket)
    if (context.withPeers && !arePeersInstalled()) findings.note(NOT_INSTALLED)
    const sizes = await peerSizes(context)
    if (sizes === undefined) return
    const { rows, zstd3, zstd19, zstd19Version2 } = sizes
    findings.figure('DuckDB: Parquet, zstd 3', zstd3 / rows, 'bytes/record')
    findings.figure('DuckDB: Parquet, zstd 19', zstd19 / rows, 'bytes/record')
    findings.figure('DuckDB: Parquet version 2, zstd 19', zstd19Version2 / rows, 'bytes/record')
    findings.figure('Kalshi, whole file / Parquet, zstd 19', ours.file / zstd19, 'ratio', { atMost: 0.65 })
    findings.figure('Kalshi, blocks, heads, states and rollups / Parquet, zstd 19', ours.kept / zstd19, 'ratio')
    findings.figure('Kalshi, whole file / Parquet version 2, zstd 19', ours.file / zstd19Version2, 'ratio')
  },
}

async function stores({ size }: TopicContext) {
  const { isReal, files } = await kalshiCaptures(size)
  const polymarketFiles = realCaptures('polymarket', size)
  const polymarket = polymarketFiles.length === 0 ? undefined : await captureStore('polymarket', polymarketFiles)
  return { isReal, kalshi: await captureStore(`kalshi-${size}`, files), polymarket }
}

async function peerSizes({ size, withPeers }: TopicContext) {
  if (!withPeers || !arePeersInstalled()) return undefined
  return parquetSizes((await kalshiCaptures(size)).files)
}

async function measureStore(
  findings: Findings,
  name: string,
  data: string,
  target?: Target,
): Promise<{ file: number; kept: number }> {
  const store = openStore(data)
  let records = 0
  let blocks = 0
  let heads = 0
  let states = 0
  let rollups = 0
  for (const venue of ['kalshi', 'polymarket'] satisfies Venue[]) {
    for await (const key of store.catalogue.partitions(venue)) {
      const head = (await store.catalogue.head(key))!
      const parts = await store.blocks.fetch(partsOfPartition(key, head))
      records += head.recordCount
      heads += encodeHead(head).length
      const { opening, closing } = parts.books(key)
      states += (opening?.length ?? 0) + (closing?.length ?? 0)
      for (const [index, { id, stateId }] of head.blocks.entries()) {
        blocks += parts.bytes(key, blockPart(id)).length
        if (index > 0) states += parts.bytes(key, statePart(stateId)).length
      }
      for (const part of head.rollups.flatMap(partsOf)) rollups += parts.bytes(key, part).length
    }
  }
  await store.close()
  const file = statSync(join(data, 'store/data.mdb')).size
  findings.figure(`${name}, the whole file`, file / records, 'bytes/record', target)
  findings.figure(`${name}, blocks`, blocks / records, 'bytes/record')
  findings.figure(`${name}, heads and states`, (heads + states) / records, 'bytes/record')
  if (rollups > 0) findings.figure(`${name}, rollups`, rollups / records, 'bytes/record')
  findings.answer(`${name} records`, records)
  return { file, kept: blocks + heads + states + rollups }
}
