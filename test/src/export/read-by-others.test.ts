// Goal: third-party programs read the files: numpy reads an array of hftbacktest, DuckDB reads a Nautilus catalog.
// Skips a program that is not installed, and says so.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { parquetMetadata } from 'hyparquet'
import { arePeersInstalled, openDuckdb } from '../../../bench/peers/installed-peers.ts'
import { isPresent } from '../../run/missing.ts'
import { randomLines } from '../../support/export/compared-days.ts'
import { exportMarket } from '../../support/export/export-days.ts'
import { readCatalog } from '../../support/export/nautilus-reader.ts'
import { readNpz } from '../../support/export/npz-reader.ts'
import { pythonWith } from '../../support/programs/python.ts'
import { temporaryFolder } from '../../support/server.ts'
import { TestStore } from '../../support/store.ts'
import { CONDITION, TICKERS } from '../../workers/load/random-capture.ts'

const PYTHON = pythonWith('numpy')
isPresent(arePeersInstalled(), 'DuckDB (bun run bench:peers)')

/** Makes the checks of hftbacktest's own validation. Prints counts and sums, which must equal ours. */
const SCRIPT = `
import sys, json, zipfile
import numpy as np
dtype = np.dtype([('ev', 'u8'), ('exch_ts', 'i8'), ('local_ts', 'i8'), ('px', 'f8'), ('qty', 'f8'),
                  ('order_id', 'u8'), ('ival', 'i8'), ('fval', 'f8')], align=True)
counts = []
for path in sys.argv[1:]:
    assert zipfile.ZipFile(path).testzip() is None
    data = np.load(path)['data']
    assert data.dtype == dtype and data.dtype.itemsize == 64, data.dtype
    exch = data[data['ev'] & np.uint64(1 << 31) != 0]
    local = data[data['ev'] & np.uint64(1 << 30) != 0]
    assert (np.diff(exch['exch_ts']) >= 0).all() and (np.diff(local['local_ts']) >= 0).all()
    assert (data['local_ts'] >= data['exch_ts']).all()
    total = lambda column: str(sum(int(value) for value in column))
    counts.append([len(data), len(exch), len(local), total(data['ev']), total(data['exch_ts']), total(data['local_ts']),
                 float(data['px'].max(initial=0)), repr(float(np.abs(data['qty']).sum()))])
print(json.dumps(counts))
`

let tested: TestStore
const folder = temporaryFolder()
beforeAll(async () => {
  tested = new TestStore()
  await tested.loadLines('capture', randomLines(7, true, 400))
  for (const target of ['nautilus', 'hftbacktest']) {
    for (const market of TICKERS) {
      await exportMarket(tested, { target, venue: 'kalshi', market, folder: join(folder.path, target) })
    }
  }
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await tested.close()
})

test.if(PYTHON !== undefined)('numpy reads the same as our own reader', () => {
  const path = join(folder.path, 'hftbacktest/kalshi')
  const names = readdirSync(path).filter((name) => name.endsWith('.npz'))
  expect(names.length).toBeGreaterThan(2)
  const files = names.map((name) => join(path, name))
  const { stdout, stderr, exitCode } = Bun.spawnSync([PYTHON!, '-c', SCRIPT, ...files])
  expect([stderr.toString(), exitCode]).toEqual(['', 0])
  const counts = JSON.parse(stdout.toString()) as (number | string)[][]
  for (const [i, file] of files.entries()) {
    const rows = readNpz(readFileSync(file))
    const of = (bit: number) => rows.filter(({ ev }) => ((ev as bigint) >> BigInt(bit)) % 2n === 1n).length
    const total = (name: string) => String(rows.reduce((sum, row) => sum + (row[name] as bigint), 0n))
    const most = rows.reduce((max, { px }) => Math.max(max, px as number), 0)
    const sums = [total('ev'), total('exch_ts'), total('local_ts')]
    expect(counts[i]!.slice(0, 7)).toEqual([rows.length, of(31), of(30), ...sums, most])
    const sizes = rows.reduce((sum, { qty }) => sum + (qty as number), 0)
    expect(Number(counts[i]![7])).toBeCloseTo(sizes, 6)
  }
})

test.if(arePeersInstalled())('DuckDB reads the columns of a catalog', async () => {
  const duckdb = await openDuckdb()
  const ask = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjectsJson()
  for (const market of TICKERS) {
    const instrument = `${market}.KALSHI`
    const path = join(folder.path, `nautilus/data/order_book_deltas/${instrument}`)
    const rows = (await readCatalog(join(folder.path, 'nautilus'), 'order_book_deltas', instrument)).flatMap(
      (file) => file.rows,
    )
    const types = await ask(`describe select * from read_parquet('${path}/*.parquet')`)
    expect(types.map(({ column_type }) => column_type)).toEqual([
      'UTINYINT',
      'UTINYINT',
      'BLOB',
      'BLOB',
      'UBIGINT',
      'UTINYINT',
      'UBIGINT',
      'UBIGINT',
      'UBIGINT',
    ])
    const read = await ask(
      `select action, side, flags, hex(price) as price, hex(size) as size, ts_event, ts_init
       from read_parquet('${path}/*.parquet', file_row_number = true) order by ts_init, file_row_number`,
    )
    const hex = (units: bigint) =>
      Buffer.from(units.toString(16).padStart(32, '0'), 'hex').reverse().toString('hex').toUpperCase()
    expect(read).toEqual(
      rows.map(({ action, side, flags, price, size, ts_event, ts_init }) => ({
        ...{ action, side, flags, price: hex(price as bigint), size: hex(size as bigint) },
        ...{ ts_event: String(ts_event), ts_init: String(ts_init) },
      })) as never,
    )
    const pairs = await ask(
      `select distinct decode(key) as key, decode(value) as value from parquet_kv_metadata('${path}/*.parquet')
       where decode(key) <> 'ARROW:schema' order by 1`,
    )
    expect(pairs).toContainEqual({ key: 'instrument_id', value: instrument })
    const instruments = await ask(
      `select id, price_precision, size_increment from read_parquet('${folder.path}/nautilus/data/instruments/${instrument}/*')`,
    )
    expect(instruments).toEqual([{ id: instrument, price_precision: expect.any(Number), size_increment: '0.000001' }])
  }
})

test.if(arePeersInstalled())(
  'DuckDB reads a data set of both venues with one glob, and its folders as columns',
  async () => {
    const data = join(folder.path, 'dataset')
    const markets = [...TICKERS.map((market) => ['kalshi', market] as const), ['polymarket', CONDITION] as const]
    for (const [venue, market] of markets) {
      await exportMarket(tested, { target: 'parquet-dataset', venue, market, folder: data })
    }
    const duckdb = await openDuckdb()
    const read = await duckdb.runAndReadAll(
      `select venue, market, cast(date as varchar) as date, book, count(*)::integer as rows
     from '${data}/changes/**/*.parquet' group by all order by all`,
    )
    const files = [...new Glob('changes/**/*.parquet').scanSync(data)].sort()
    const written = files.map((file) => {
      const [, venue, market, date, book] = /venue=(.*)\/market=(.*)\/date=(.*)\/(.*)\.parquet/.exec(file)!
      const bytes = readFileSync(join(data, file))
      const { num_rows: rows } = parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
      return { venue, market, date, book, rows: Number(rows) }
    })
    expect(written.length).toBeGreaterThan(2)
    expect(read.getRowObjectsJson()).toEqual(written.filter(({ rows }) => rows > 0))
  },
)
