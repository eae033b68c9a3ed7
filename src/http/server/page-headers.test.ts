// Tests the headers of pages: what they may load, and which sites may frame them.

import { expect, test } from 'bun:test'
import type { Origins } from './cors.ts'
import { addPageHeaders } from './page-headers.ts'

function headersOf(path: string, origins: Origins = null, response = page()): Record<string, string> {
  addPageHeaders(`http://localhost${path}`, response, origins)
  return Object.fromEntries(response.headers)
}

function page(status = 200, headers: Record<string, string> = {}): Response {
  return new Response('', { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })
}

const CHART = '/explore/kalshi/KXTEST?embed'

test('a page of the explorer runs its own scripts alone, and takes no text as markup', () => {
  for (const path of ['/explore', '/explore/kalshi/A', '/status', '/status/']) {
    const { 'content-security-policy': policy, ...rest } = headersOf(path)
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(rest).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' })
  }
  expect(headersOf('/docs')['content-security-policy']).toContain("style-src 'self' 'unsafe-inline'")
  expect(headersOf('/docs/a')['content-security-policy']).not.toContain('trusted-types')
})

test('allowed sites may frame the chart of a market, and no other page', () => {
  const framed = headersOf(CHART, new Set(['https://a.example', 'https://b.example']))
  expect(framed['content-security-policy']).toContain('frame-ancestors https://a.example https://b.example;')
  expect(framed).not.toHaveProperty('x-frame-options')
  expect(headersOf(CHART, '*')['content-security-policy']).toContain('frame-ancestors *;')
  for (const path of ['/explore/kalshi/KXTEST', '/explore?embed', '/status?embed', '/explore/kalshi/A/b?embed']) {
    expect(headersOf(path, '*')['x-frame-options']).toBe('DENY')
  }
  expect(headersOf(CHART, null)['x-frame-options']).toBe('DENY')
})

test('a page may be cached for an hour, unless its answer says otherwise or is a failure', () => {
  expect(headersOf('/docs')['cache-control']).toBe('public, max-age=3600')
  expect(headersOf('/docs', null, page(200, { 'cache-control': 'no-store' }))['cache-control']).toBe('no-store')
  expect(headersOf('/docs', null, page(404))).not.toHaveProperty('cache-control')
})

test('an answer that is not a page, or has a policy of its own, is not changed', () => {
  expect(headersOf('/market/data')).toEqual({ 'content-type': 'text/html; charset=utf-8' })
  expect(headersOf('/docsx')).not.toHaveProperty('content-security-policy')
  const script = page(200, { 'content-type': 'text/javascript' })
  expect(headersOf('/docs/a.js', null, script)).toEqual({
    ...{ 'content-type': 'text/javascript', 'cache-control': 'public, max-age=3600' },
  })
  const own = page(200, { 'content-security-policy': "default-src 'self'" })
  expect(headersOf('/docs', null, own)['content-security-policy']).toBe("default-src 'self'")
})
