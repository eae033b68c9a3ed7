// Settings of connections and of REST that both venues have, with the figures of each.

import { decimal, whole } from './setting-kinds.ts'

type Figures = {
  /** What a connection carries: tokens or tickers. */
  unit: string
  perConnection: number
  connectionsMax: number
  pongSeconds: number
  snapshotSeconds: number
  backoffFromSeconds: number
  backoffToSeconds: number
}

export const connectionSettings = (figures: Figures) => ({
  per_connection: whole(1, 5_000, {
    unlessGiven: figures.perConnection,
    description: `${figures.unit} on a connection`,
  }),
  connections_max: whole(1, 10_000, {
    unlessGiven: figures.connectionsMax,
    description: 'connections; what does not fit is not recorded, and the status says so',
  }),
  subscribe_chunk: whole(1, 1_000, { unlessGiven: 100, description: `${figures.unit} that one command names` }),
  connect_stagger_seconds: decimal(0, 60, {
    unlessGiven: 0.1,
    description: 'pause between the opening of one connection and the next',
  }),
  ping_seconds: decimal(0.1, 600, { unlessGiven: 10, description: 'how often a connection is asked for a PONG' }),
  pong_seconds: decimal(0.1, 600, {
    unlessGiven: figures.pongSeconds,
    description: 'how long an answer to that may take; then the connection is reopened',
  }),
  snapshot_seconds: decimal(0.1, 600, {
    unlessGiven: figures.snapshotSeconds,
    description: 'how long the first book of a subscription may take; then it is asked for over REST',
  }),
  reconnect_jitter_seconds: decimal(0, 60, {
    unlessGiven: 0.75,
    description: 'longest random pause before a closed connection is reopened',
  }),
  backoff_from_seconds: decimal(0.01, 600, {
    unlessGiven: figures.backoffFromSeconds,
    description: 'pause after a connection could not be opened; it doubles each time',
  }),
  backoff_to_seconds: decimal(0.01, 3_600, {
    unlessGiven: figures.backoffToSeconds,
    description: 'longest such pause',
  }),
  healthy_seconds: decimal(0, 3_600, {
    unlessGiven: 30,
    description: 'how long a connection must hold for the pause to begin at its shortest again',
  }),
})

export const restSettings = {
  rest_timeout_seconds: decimal(0.1, 600, {
    unlessGiven: 10,
    description: 'how long an answer may take, to its last byte',
  }),
  rest_attempts: whole(1, 100, { unlessGiven: 6, description: 'how often a request is tried' }),
  rest_body_mb: whole(1, 1_024, { unlessGiven: 32, description: 'longest answer that is read' }),
}
