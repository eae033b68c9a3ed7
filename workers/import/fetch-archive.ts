// Fetches a URL of an archive. Follows redirects of the URL's server, but not to this machine or to the network link of
// this machine, because a server there may trust local requests.

import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { HttpInit } from '../../storage/retry/http-client.ts'

const REDIRECTS_MAX = 10
const REDIRECTIONS = [301, 302, 303, 307, 308]

/** Addresses of this machine and its link: loopback, unspecified (0.0.0.0, ::) and link-local. Cloud providers serve a
 *  machine's credentials at link-local addresses. */
const HERE = new BlockList()
for (const net of ['127.0.0.0/8', '0.0.0.0/8', '169.254.0.0/16', '::/127', 'fe80::/10']) {
  const [address, bits] = net.split('/')
  HERE.addSubnet(address!, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4')
}

type Means = {
  fetch?: (url: string, init: HttpInit & { redirect: 'manual' }) => Promise<Response>
  /** Returns the IP addresses of a name. */
  addressesOf?: (name: string) => Promise<string[]>
}

/** Fetches a URL and follows its redirects. Resolves to the redirect response if the redirect is not followed. */
export async function fetchArchive(
  url: string,
  init: HttpInit,
  { fetch = globalThis.fetch, addressesOf = lookedUp }: Means = {},
): Promise<Response> {
  for (let [at, left] = [new URL(url), REDIRECTS_MAX]; ; left--) {
    const response = await fetch(at.href, { ...init, redirect: 'manual' })
    const location = response.headers.get('location')
    if (location === null || !REDIRECTIONS.includes(response.status) || left === 0) return response
    const next = URL.parse(location, at.href)
    if (next === null || !/^https?:$/.test(next.protocol) || (await leadsHere(at, next, addressesOf))) return response
    await response.body?.cancel()
    at = next
  }
}

/** Returns whether a redirect leads from another host to this machine or its link. Resolves host names. */
async function leadsHere(from: URL, to: URL, addressesOf: (name: string) => Promise<string[]>): Promise<boolean> {
  if (from.hostname === to.hostname || /^127\.|^::1$/.test(addressIn(from))) return false
  const address = addressIn(to)
  const addresses = isIP(address) > 0 ? [address] : await addressesOf(address).catch(() => [])
  const own = Object.values(networkInterfaces()).flatMap((of) => of?.map((each) => each.address) ?? [])
  return addresses.some((each) => own.includes(each) || HERE.check(each, isIP(each) === 6 ? 'ipv6' : 'ipv4'))
}

/** Returns the host: 127.0.0.1 for localhost, and an IPv6 address without brackets. */
const addressIn = ({ hostname }: URL): string =>
  /(^|\.)localhost\.?$/.test(hostname) ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, '')

const lookedUp = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address)
