// Lines of a capture of Kalshi, as a recorder writes them.

export const T0 = Date.parse('2026-08-10T12:00:00Z')

type Levels = [price: string, size: string][]

const line = (recvMs: number, event: object) => JSON.stringify({ recv_ms: recvMs, event })

export const snapshot = (ticker: string, atMs: number, yes: Levels, no: Levels, seq = 1): string =>
  line(atMs, {
    type: 'orderbook_snapshot',
    ...{ sid: 1, seq },
    msg: {
      market_ticker: ticker,
      market_id: 'm-1',
      yes_dollars_fp: yes,
      ...(no.length > 0 ? { no_dollars_fp: no } : {}),
    },
  })

export const delta = (ticker: string, atMs: number, price: string, size: string, side = 'yes', seq = 2): string =>
  line(atMs + 3, {
    type: 'orderbook_delta',
    ...{ sid: 1, seq },
    msg: {
      ...{ market_ticker: ticker, market_id: 'm-1', price_dollars: price, delta_fp: size, side },
      ...{ ts: new Date(atMs).toISOString(), ts_ms: atMs },
    },
  })

export const trade = (ticker: string, atMs: number, price: string, count: string, seq = 1): string =>
  line(atMs + 3, {
    type: 'trade',
    ...{ sid: 2, seq },
    msg: {
      ...{ trade_id: `t-${atMs}`, market_ticker: ticker, yes_price_dollars: price, no_price_dollars: '0.5000' },
      ...{ count_fp: count, taker_side: 'yes', ts: Math.floor(atMs / 1_000), ts_ms: atMs },
    },
  })

export const ticker = (market: string, atMs: number, seq?: number): string =>
  line(atMs + 3, {
    type: 'ticker',
    sid: 9,
    ...(seq === undefined ? {} : { seq }),
    msg: { market_ticker: market, price_dollars: '0.5000', ts_ms: atMs },
  })

export const gap = (market: string, fromMs: number, toMs: number): string =>
  JSON.stringify({ type: 'gap', venue: 'kalshi', market, msg: { reason: 'disconnect', from: fromMs, to: toMs } })
