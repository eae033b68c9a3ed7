// The programs that backbook is compared with, where they are installed: `bun run bench:peers`. They are no dependency
// of the project, so their types are not known to it; what is used of them is written down here.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

export type Level = { price: number; amount: number }
export type BookUpdate = { isSnapshot: boolean; bids: Level[]; asks: Level[] }
export type TardisBook = {
  update(change: BookUpdate): void
  bestBid(): Level | undefined
  bestAsk(): Level | undefined
}
export type Tardis = { OrderBook: new () => TardisBook }

export type DuckdbConnection = {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>
}
type Duckdb = {
  DuckDBInstance: {
    create(path: string, options: Record<string, string>): Promise<{ connect(): Promise<DuckdbConnection> }>
  }
}

export const NOT_INSTALLED = 'the peers are not installed, so there is nothing beside our figures: bun run bench:peers'

export const arePeersInstalled = (): boolean => existsSync(join(FOLDER, 'node_modules/@duckdb/node-api'))

export async function loadTardis(): Promise<Tardis> {
  return importPeer('tardis-dev')
}

/** A database in memory. */
export async function openDuckdb(threads = 1): Promise<DuckdbConnection> {
  const { DuckDBInstance } = await importPeer<Duckdb>('@duckdb/node-api')
  return (await DuckDBInstance.create(':memory:', { threads: `${threads}` })).connect()
}

async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(Bun.resolveSync(name, FOLDER))) as Module
}
