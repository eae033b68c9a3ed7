// Tests how the server sends the explorer: a page under a strict policy, its files, and redirections of browsers.

import { expect, test } from 'bun:test'
import { ask, testApp } from '../../test/support/server.ts'

const app = testApp()
const get = (path: string, headers: Record<string, string> = {}) => ask(app, path, { headers })

test.each(['/explore', '/explore/', '/explore/compare?a=kalshi:A', '/explore/kalshi/KXA-B', '/status'])(
  '%s is the page, which needs no key and may run nothing but its own scripts',
  async (path) => {
    const { status, headers, text } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).toContain("trusted-types 'none'")
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(text).not.toMatch(/<script>|<style|https?:/)
  },
)

test('the files of the page come from this server, can be cached by browsers, and are compressed', async () => {
  const addresses = Array.from(
    (await get('/explore')).text.matchAll(/(?:src|href)="(\/explore[^"]*)"/g),
    ([, at]) => at!,
  )
  expect(addresses.length).toBeGreaterThan(2)
  for (const address of addresses) {
    const { status, headers } = await get(address, { 'accept-encoding': 'gzip' })
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    if (!address.endsWith('.svg')) expect(headers.get('content-encoding')).toBe('gzip')
  }
})

test.each(['/explore/assets/none.js', '/explore/nowhere', '/explore/kalshi/A/B'])('%s does not exist', async (path) => {
  const { status, headers } = await get(path)
  expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json'])
})

test('a browser that follows a wrong link gets the page, which leads on', async () => {
  const { status, headers, text } = await get('/explore/kalshi/A/B', { accept: 'text/html' })
  expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(text).toBe((await get('/explore')).text)
})

test('browsers land on the explorer, programs on the documentation', async () => {
  const landing = async (accept?: string) =>
    (await get('/', accept === undefined ? {} : { accept })).headers.get('location')
  expect(await landing('text/html,application/xhtml+xml')).toBe('/explore')
  expect(await landing()).toBe('/docs')
  expect(await landing('*/*')).toBe('/docs')
})
