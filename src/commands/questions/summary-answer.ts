// Takes the answer of the summary endpoint apart while it comes: a long window is never in memory as a whole.

import assert from 'node:assert/strict'

export type Candle = { open: number | null; high: number | null; low: number | null; close: number | null }
export type Bucket = {
  timestamp: number
  quote_count: number
  is_forward_filled: boolean
  best_bid: number | null
  best_bid_size: number
  best_ask: number | null
  best_ask_size: number
  mid_price: number | null
  spread: number | null
  best_bid_ohlc: Candle
  best_ask_ohlc: Candle
  mid_price_ohlc: Candle
  spread_ohlc: Candle
}
/** Everything of the answer but the buckets. */
export type SummaryHead = Record<string, string | number | null> & { data_points: number }
export type SummaryAnswer = { head: SummaryHead; buckets: AsyncGenerator<Bucket[]> }

const DATA = ',"data":['
const BUCKET = ',{"timestamp":'
const END = ']}'

/** The buckets come in lists, as many as arrive at once. */
export async function readSummary(chunks: AsyncIterable<Uint8Array>): Promise<SummaryAnswer> {
  const texts = decoded(chunks)
  let text = ''
  let start = -1
  while (start < 0) {
    const next = await texts.next()
    assert(!next.done, 'an answer holds its data')
    text += next.value
    start = text.indexOf(DATA)
  }
  const head = JSON.parse(`${text.slice(0, start)}}`) as SummaryHead
  return { head, buckets: bucketsFrom(text.slice(start + DATA.length), texts) }
}

async function* bucketsFrom(first: string, texts: AsyncGenerator<string>): AsyncGenerator<Bucket[]> {
  let text = first
  for await (const more of texts) {
    text += more
    const end = text.lastIndexOf(BUCKET)
    if (end <= 0) continue
    yield parsed(text.slice(0, end))
    text = text.slice(end + 1)
  }
  assert(text.endsWith(END), 'an answer comes to its end')
  const last = text.slice(0, -END.length)
  if (last !== '') yield parsed(last)
}

const parsed = (buckets: string) => JSON.parse(`[${buckets}]`) as Bucket[]

async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
}
