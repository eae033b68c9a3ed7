// Finds the client's address behind proxies. X-Forwarded-For counts only from proxies that the operator configured,
// since any client can send it.

import { BlockList, isIP } from 'node:net'

/** Parses addresses and networks (10.0.0.0/8, ::1), separated by commas. Returns undefined if an address or network is
 *  invalid. */
export function parseProxies(text: string): BlockList | undefined {
  const proxies = new BlockList()
  for (const entry of text.split(',').map((each) => each.trim())) {
    const [address = '', length, ...more] = entry.split('/')
    const version = isIP(address)
    if (version === 0 || more.length > 0) return undefined
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (length === undefined) proxies.addAddress(address, family)
    else if (/^[0-9]{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128)) {
      proxies.addSubnet(address, Number(length), family)
    } else return undefined
  }
  return proxies
}

/** Returns the last address that is not a trusted proxy's: each proxy appends its client's address. */
export function forwardedAddress(peer: string | null, header: string | null, trusted: BlockList | null): string | null {
  if (peer === null || trusted === null || header === null || !isTrusted(peer, trusted)) return peer
  const chain = header.split(',').map((each) => each.trim())
  let address = peer
  for (const next of chain.reverse()) {
    if (isIP(next) === 0) break
    address = next
    if (!isTrusted(next, trusted)) break
  }
  return address
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const bare = address.replace(/^::ffff:(?=[0-9.]+$)/i, '')
  const version = isIP(bare)
  return version !== 0 && trusted.check(bare, version === 4 ? 'ipv4' : 'ipv6')
}
