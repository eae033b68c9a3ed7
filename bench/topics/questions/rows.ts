// Measures a busy day at 1 s as rows for a program: 86,400 rows in Arrow with all columns and with those of a chart,
// and other formats.

import { busyDays } from '../../datasets/busy-days.ts'
import { askNew, type NewQuestions, windowOf } from '../../measure/new-questions.ts'
import { startBackbook } from '../../servers/backbook-server.ts'
import type { Topic } from '../../topic.ts'

const SUMMARY = '/api/v1/kalshi/market/orderbook-summary?resolution=1'
const CANDLE = ['mid_price_open', 'mid_price_high', 'mid_price_low', 'mid_price_close']
const CHARTS = {
  'a candle and the best prices': ['timestamp', 'best_bid', 'best_ask', ...CANDLE],
  'the top of the book': 'timestamp,best_bid,best_bid_size,best_ask,best_ask_size,mid_price,spread'.split(','),
}

export const topic: Topic = {
  prepare: async ({ size }) => void (await busyDays(size)),
  async run({ size }, findings) {
    const { data, usual, busiest } = await busyDays(size)
    const server = await startBackbook(data)
    const ask = (questions: NewQuestions) => askNew(findings, server, questions, size)
    for (const [name, { market, fromMs }] of Object.entries({ busy: usual[0]!, busiest })) {
      const isTarget = name === 'busy'
      const path = (format: string) => (number: number) =>
        `${SUMMARY}&ticker=${market}&${windowOf(fromMs, number)}&format=${format}`
      const all = { name: `${name} day as Arrow, all columns`, path: path('arrow') }
      await ask({ ...all, ...(isTarget ? { target: { atMost: 25 } } : {}) })
      for (const [columns, names] of Object.entries(CHARTS)) {
        const seven = { name: `${name} day as Arrow, ${columns}`, path: path(`arrow&columns=${names.join(',')}`) }
        await ask({ ...seven, ...(isTarget ? { target: { atMost: 10 } } : {}) })
      }
    }
    const { market, fromMs } = usual[1]!
    for (const format of ['json', 'csv', 'parquet']) {
      const path = (number: number) => `${SUMMARY}&ticker=${market}&${windowOf(fromMs, number)}&format=${format}`
      await ask({ name: `busy day as ${format}`, path })
    }
    await server.stop()
  },
}
