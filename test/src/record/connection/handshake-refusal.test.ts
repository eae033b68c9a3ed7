// What a refused handshake is reported as.

import { expect, test } from 'bun:test'
import { handshakeRefusal } from '../../../../src/record/connection/web-socket.ts'
import type { Venue } from '../../../../storage/venue.ts'

const KALSHI = 'wss://venue.example/trade-api/ws/v2'
const REPLAY = 'ws://127.0.0.1:8080/replay/kalshi/trade-api/ws/v2?from=1&to=2'
const SIGNED = { 'KALSHI-ACCESS-KEY': 'key-1' }

test.each<[Venue, string, Record<string, string>, number, string]>([
  ['kalshi', KALSHI, SIGNED, 401, 'the API key is not accepted: check its id, its private key, and the clock of'],
  ['kalshi', KALSHI, {}, 401, 'it is not signed: set kalshi.key_id and kalshi.private_key_file'],
  ['kalshi', KALSHI, SIGNED, 403, 'the API key, or this machine has no access'],
  ['kalshi', `${REPLAY}&key=secret`, {}, 401, 'the key in kalshi.ws_url is not accepted'],
  ['kalshi', REPLAY, {}, 401, 'kalshi.ws_url has no key'],
  ['kalshi', `${REPLAY}&key=secret`, {}, 403, 'the key in kalshi.ws_url, or this machine has no access'],
  ['kalshi', REPLAY, {}, 400, 'check kalshi.ws_url'],
  ['polymarket', 'wss://venue.example/ws', {}, 403, 'this machine has no access'],
  ['polymarket', 'wss://venue.example/ws', {}, 401, 'check polymarket.ws_url'],
])('of %s at %s with %j and %i', (venue, url, headers, status, advice) => {
  const text = handshakeRefusal(venue, { url, headers }, { status, reason: 'no' })
  const address = url.replace(/\?.*/, '')
  expect(text).toStartWith(`the connection to ${address} is refused with ${status} (no): ${advice}`)
  expect(text).not.toContain('secret')
})
