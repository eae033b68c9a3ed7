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
    'Messages of streams, each counted once for all its receivers.',
    () => streams.messages,
  ),
  counter(
    'backbook_stream_slow_subscribers_total',
    'Subscribers that were ended because they read too slowly.',
    () => streams.slow,
  ),
  histogram(
    'backbook_stream_lag_seconds',
    'Time from when growth of a market was seen until all of it was passed to the sockets.',
    () => [[{}, streams.lag]],
  ),
]
