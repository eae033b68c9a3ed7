// Tests which proxies may state a client's address.

import { expect, test } from 'bun:test'
import { forwardedAddress, parseProxies } from './forwarded-address.ts'

const TRUSTED = parseProxies('10.0.0.0/8, 127.0.0.1,fd00::/8')!

test.each([
  ['of no client without trusted proxies', '127.0.0.1', '1.2.3.4', null, '127.0.0.1'],
  ['of a trusted proxy', '10.1.2.3', '1.2.3.4', TRUSTED, '1.2.3.4'],
  ['of a trusted proxy on IPv6', 'fd00::7', '2001:db8::1', TRUSTED, '2001:db8::1'],
  ['of a trusted proxy as IPv6 shows it', '::ffff:10.1.2.3', '1.2.3.4', TRUSTED, '1.2.3.4'],
  ['not of a stranger', '9.9.9.9', '1.2.3.4', TRUSTED, '9.9.9.9'],
  ['only the last that no trusted proxy has', '10.1.2.3', '6.6.6.6, 1.2.3.4, 10.9.9.9', TRUSTED, '1.2.3.4'],
  ['not beyond a text that is not an address', '10.1.2.3', '1.2.3.4, unknown, 10.9.9.9', TRUSTED, '10.9.9.9'],
  ['the first of all if all are trusted', '10.1.2.3', '10.5.5.5, 10.9.9.9', TRUSTED, '10.5.5.5'],
  ['no header', '10.1.2.3', null, TRUSTED, '10.1.2.3'],
])('%s', (_, peer, header, trusted, expected) => expect(forwardedAddress(peer, header, trusted)).toBe(expected))

test.each(['', 'proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0.1,'])('%p is no list', (text) =>
  expect(parseProxies(text)).toBeUndefined(),
)
