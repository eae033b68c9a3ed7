// Reads Tardis' `trades`: each row is a trade. Its id is the venue's transaction hash, which several trades may share.

import type { RowReader } from '../../../load/capture-reading.ts'
import type { ArchiveFormat, ArchiveOptions, ArchivePart, PartSums } from '../../archive.ts'
import type { ByteFile } from '../../byte-file.ts'
import { TARDIS_FACTS } from './tardis-facts.ts'
import { DECIMAL, type TardisRow, TardisRows, venueMsText } from './tardis-rows.ts'

export const tardisTrades: ArchiveFormat = {
  ...TARDIS_FACTS,
  name: 'tardis-trades',
  description: "Tardis' trades of Polymarket (CSV)",
  async *open(file, options) {
    yield {
      next: null,
      read: (lines, onProgress) => readTrades(file, options, lines, onProgress),
    } satisfies ArchivePart
  },
}

const COLUMNS = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount'
const SIDES: Record<string, string> = { buy: '"side":"BUY",', sell: '"side":"SELL",', unknown: '' }
const ID = /^[\w.:-]*$/
/** An id that is present but empty, as our export writes it. */
const EMPTY_ID = '""'
const encoder = new TextEncoder()

async function readTrades(
  file: ByteFile,
  options: ArchiveOptions,
  lines: RowReader,
  onProgress: (fileBytes: number) => void,
): Promise<PartSums> {
  const rows = new TardisRows(file, options, COLUMNS)
  const take = (row: TardisRow) => {
    const message = messageOf(row)
    if (message === undefined) {
      return lines.reject(row.row, 'side, price or amount is invalid', encoder.encode(JSON.stringify(row)))
    }
    const line = encoder.encode(`{"recv_us":${row.receivedUs},"msg":${message}}`)
    lines.line(line, 0, line.length, row.row)
  }
  await rows.read(lines, take, onProgress)
  return { rows: rows.rows }
}

/** Returns the message of a trade; undefined if a value is not valid. */
function messageOf({ market, token, venueUs, values }: TardisRow): string | undefined {
  const [named = '', side = '', price = '', amount = ''] = values
  const id = named === '' ? undefined : named === EMPTY_ID ? '' : named
  const sideField = Object.hasOwn(SIDES, side) ? SIDES[side]! : undefined
  if (
    sideField === undefined ||
    !DECIMAL.test(price) ||
    !(Number(price) <= 1) ||
    !DECIMAL.test(amount) ||
    !ID.test(id ?? '')
  ) {
    return undefined
  }
  const transaction = id === undefined ? '' : `"transaction_hash":"${id}",`
  return (
    `{"market":"${market}","asset_id":"${token}","price":"${price}","size":"${amount}",${sideField}${transaction}` +
    `"timestamp":"${venueMsText(venueUs)}","event_type":"last_trade_price"}`
  )
}
