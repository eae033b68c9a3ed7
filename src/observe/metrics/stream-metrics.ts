// Metrics of the streams of markets.

import type { ServiceSources } from '../stats/service-reading.ts'
import { counter, gauge, histogram, type Metric } from './sample.ts'

export const streamMetrics = ({ streams }: Pick<ServiceSources, 'streams'>): Metric[] => [
  gauge('backbook_stream_subscribers', 'Open streams, by the kind of their connection.', () =>
    Object.entries(streams.subscribers).map(([kind, value]) => ({ labels: { kind }, value })),
  ),
  gauge('backbook_stream_markets', 'Markets that streams follow.', () => streams.markets),
  counter(
    'backbook_stream_messages_total',
    'Messages of streams, each counted once however many get it.',
    () => streams.messages,
  ),
  counter(
    'backbook_stream_slow_subscribers_total',
    'Subscribers that were ended since they took less than they were sent.',
    () => streams.slow,
  ),
  histogram(
    'backbook_stream_lag_seconds',
    'From when a market was seen to have grown until all of it was handed to the sockets.',
    () => [[{}, streams.lag]],
  ),
]
