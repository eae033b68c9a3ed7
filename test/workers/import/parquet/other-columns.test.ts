// Every format refuses a Parquet file with other columns, and names the file's columns and the expected ones. An hour
// without records has the right columns too, so the check also covers files without a row.

import { expect, test } from 'bun:test'
import { jonBeckerTrades } from '../../../../workers/import/formats/jon-becker-trades.ts'
import { pendulumflowV3 } from '../../../../workers/import/formats/pendulumflow-v3.ts'
import { pmxtKalshi } from '../../../../workers/import/formats/pmxt-kalshi.ts'
import { pmxtV2 } from '../../../../workers/import/formats/pmxt-v2.ts'
import { imported } from '../../../support/archives/imported.ts'
import { type Field, MemoryFile, parquetBytes } from '../../../support/archives/parquet-bytes.ts'
import { withStore } from '../../../support/store.ts'

const FIELDS: Field[] = [{ name: 'x', type: 'INT64', repetition_type: 'REQUIRED' }]

test.each([pmxtV2, pmxtKalshi, pendulumflowV3, jonBeckerTrades])('$name', (format) =>
  withStore(async (store) => {
    for (const groups of [[], [[{ x: 1n }]]]) {
      const file = new MemoryFile(parquetBytes(FIELDS, groups))
      const why = /^hour.parquet must have one of the columns \w+(, \w+)+, got x$/
      await expect(imported(store, format, file)).rejects.toThrow(why)
    }
  }),
)
