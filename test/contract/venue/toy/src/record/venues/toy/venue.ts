// The made-up venue for the recorder: record.toml names its contracts, and it has one kind of connection.

import { type Static, Type } from '@sinclair/typebox'
import { text, texts } from '../../../config/setting-kinds.ts'
import { connectionSettings, SOCKET_ADDRESS } from '../../config/record-settings.ts'
import { assertSelects, type ConnectionConfig, connectionConfig, SHARED_LIMITS } from '../../config/venue-config.ts'
import { FINDS_NOTHING, type RecordedVenue } from '../../discovery/recorded-venue.ts'
import { messageIn, ToyProtocol } from './protocol.ts'

const SETTINGS = Type.Object({
  ws_url: text({ ...SOCKET_ADDRESS, unlessGiven: 'wss://toy.example/feed', description: 'address of the feed' }),
  contracts: texts({ minLength: 1, accepts: 'a list of contracts in quotes', description: 'contracts to record' }),
  ...connectionSettings('contracts', 10),
})

type ToyConfig = ConnectionConfig & { contracts: readonly string[] }

const LIMITS = {
  ...{ pongMs: 5_000, snapshotMs: 5_000, backoffFromMs: 1_000, backoffToMs: 30_000 },
  ...{ silenceMs: null, broadBooks: Number.POSITIVE_INFINITY, rotateMs: null },
  ...{ newMs: 30_000, resolvedMs: 30_000, aheadMs: 0 },
}

export const TOY: RecordedVenue<typeof SETTINGS, ToyConfig> = {
  settings: SETTINGS,
  snapshotMarks: ['\\"type\\":\\"book\\"'],
  snapshotBooks(frame) {
    const { type, contract } = messageIn(frame)
    return type === 'book' && contract !== undefined ? [contract] : []
  },
  configOf(values: Static<typeof SETTINGS>) {
    const selection = { all: false, exclude: {} }
    const words = { keys: 'contracts', repair: 'nothing finds' }
    assertSelects('toy', { selection, named: values.contracts, finder: null, ...words })
    return { ...connectionConfig(values), ...SHARED_LIMITS, ...LIMITS, selection, contracts: values.contracts }
  },
  open: (config) => ({
    protocol: new ToyProtocol(config),
    listener: null,
    finder: FINDS_NOTHING,
    named: config.contracts.map((contract) => ({ venue: 'toy', market: contract, books: [contract] })),
    hydration: { attempts: 1, fromMs: 1_000, toMs: 1_000 },
    isSigned: null,
  }),
}
