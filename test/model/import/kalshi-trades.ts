// Reads files of Kalshi's trades, the slow way: each market's trades by time, as the store has to print them.

export type ExpectedTrade = { market: string; timestamp: number; msg: Record<string, unknown> }

/** Groups the trades by market, ascending by time; trades with the same time keep the order of the file. */
function inOrder(trades: (ExpectedTrade & { us: number })[]): Record<string, ExpectedTrade[]> {
  const byMarket: Record<string, ExpectedTrade[]> = {}
  for (const { us: _, ...trade } of trades.toSorted((one, other) => one.us - other.us)) {
    byMarket[trade.market] = [...(byMarket[trade.market] ?? []), trade]
  }
  return byMarket
}

const usOf = (text: string): number => {
  const [, whole, fraction = ''] = /^(.{19})(?:\.(\d*))?/.exec(text.replace(' ', 'T'))!
  return Date.parse(`${whole}Z`) * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

const expectedTrade = (ticker: string, time: string, msg: Record<string, unknown>) => {
  const us = usOf(time)
  return { market: ticker.toUpperCase(), timestamp: Math.floor(us / 1_000), us, msg }
}

/** Returns the trades of several pages. A trade that is on two pages counts once. */
export function tradesOfPages(pages: { trades: Record<string, string>[] }[]): Record<string, ExpectedTrade[]> {
  const seen = new Map(pages.flatMap(({ trades }) => trades.map((trade) => [JSON.stringify(trade), trade])))
  return inOrder([...seen.values()].map((trade) => expectedTrade(trade['ticker']!, trade['created_time']!, trade)))
}

/** Converts rows in whole cents to trades in the form that the API sends. */
export function tradesOfRows(rows: Record<string, string>[]): Record<string, ExpectedTrade[]> {
  const dollars = (cents: string) => (Number(cents) / 100).toFixed(4)
  return inOrder(
    rows.map(({ trade_id, ticker, count, yes_price, no_price, taker_side, created_time }) => {
      const [date, clock] = created_time!.replace('+00:00', '').split(' ')
      const time = `${date}T${clock!.includes('.') ? clock!.replace(/\.?0+$/, '') : clock}`
      return expectedTrade(ticker!, created_time!, {
        ...{ trade_id, ticker, count_fp: Number(count).toFixed(2) },
        ...{ yes_price_dollars: dollars(yes_price!), no_price_dollars: dollars(no_price!) },
        ...(taker_side !== '' && { taker_side }),
        created_time: `${time}Z`,
      })
    }),
  )
}
