// Tests the documentation over HTTP: the page with its assets, the guide, the OpenAPI document, llms.txt.

import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { BLOCK_VERSION } from '../../storage/format/block.ts'
import { STORE_VERSION } from '../../storage/keep-store.ts'
import { ask, testApp } from '../../test/support/server.ts'
import { MANIFEST_FORMAT } from '../backup/manifest.ts'

const app = testApp()
const get = (path: string, headers: Record<string, string> = {}) => ask(app, path, { headers })

test('the page loads files only from this server, and has no inline script', async () => {
  const { status, headers, text } = await get('/docs')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  const addresses = Array.from(text.matchAll(/(?:src|href)="([^"]*)"/g), ([, address]) => address!)
  expect(addresses.length).toBeGreaterThan(4)
  for (const address of addresses) expect([address, (await get(address)).status]).toEqual([address, 200])
  expect(text).not.toMatch(/<script>|https?:/)
})

test('browsers cache assets, which is safe since their names change with their version', async () => {
  const [, address] = (await get('/docs')).text.match(/src="([^"]*swagger-ui-bundle\.js)"/) ?? []
  const { headers, text } = await get(address ?? '')
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(text.length).toBeGreaterThan(1_000_000)
  const { headers: compressed } = await get(address ?? '', { 'accept-encoding': 'gzip' })
  expect(compressed.get('content-encoding')).toBe('gzip')
})

test('the address of the server leads to the page', async () => {
  const { status, headers } = await get('/')
  expect([status, headers.get('location')]).toEqual([302, '/docs'])
})

test('the OpenAPI document is at two paths, and is not sent to a client that has it', async () => {
  const { headers, text } = await get('/docs/json')
  expect((await get('/openapi.json')).text).toBe(text)
  const again = await get('/docs/json', { 'if-none-match': headers.get('etag') ?? '' })
  expect([again.status, again.text]).toEqual([304, ''])
})

const GUIDE_FILES = [...new Glob('**/*.md').scanSync('docs')].sort()

test('every file of the guide is served as it is written, and as a page to browsers', async () => {
  for (const name of GUIDE_FILES) {
    const written = await get(`/docs/${name}`)
    expect([name, written.headers.get('content-type')]).toEqual([name, 'text/markdown; charset=utf-8'])
    expect(written.text).toBe(await Bun.file(`docs/${name}`).text())
    const page = await get(`/docs/${name}`, { accept: 'text/html,*/*;q=0.8' })
    expect([name, page.headers.get('content-type')]).toEqual([name, 'text/html; charset=utf-8'])
    expect(page.text).toContain('<h1 id=')
  }
})

test('every link within the guide leads somewhere', async () => {
  const pages = new Map<string, string>()
  for (const name of GUIDE_FILES) {
    pages.set(name, (await get(`/docs/${name}`, { accept: 'text/html' })).text)
  }
  for (const [name, text] of pages) {
    for (const [, address] of text.matchAll(/href="([^"]*)"/g)) {
      if (address!.startsWith('http')) continue
      const { pathname, hash } = new URL(address!, `http://localhost/docs/${name}`)
      const page = pages.get(pathname.replace('/docs/', ''))
      if (page === undefined) {
        expect([name, address, (await get(pathname)).status]).toEqual([name, address, 200])
        continue
      }
      const isThere = hash === '' || page.includes(`id="${hash.slice(1)}"`)
      expect([name, address, isThere]).toEqual([name, address, true])
    }
  }
})

test('llms.txt begins as llmstxt.org requires, and each of its links is answered', async () => {
  const { headers, text } = await get('/llms.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^# backbook\n\n> A self-hosted server/)
  const links = Array.from(text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm), ([, link]) => link!)
  expect(links.length).toBeGreaterThan(8)
  for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200])
})

test('llms.txt does not advise to wait for the next month', async () => {
  const { text } = await get('/llms.txt')
  expect(text).toContain('Do not wait after 429 "quota_exceeded"')
  expect(text).not.toContain('After 429 and 503')
})

test('the glossary has at most 40 words, in the order of the alphabet', async () => {
  const text = await Bun.file('docs/glossary.md').text()
  const words = Array.from(text.matchAll(/^\| ([a-z][^|]*) \| [a-z]/gm), ([, word]) => word!).slice(1)
  expect(words.length).toBeGreaterThan(20)
  expect(words.length).toBeLessThanOrEqual(40)
  expect(words).toEqual([...words].sort())
})

test('docs/operations.md has the formats that the program writes', async () => {
  const text = await Bun.file('docs/operations.md').text()
  const formatOf = (name: string) => Number(new RegExp(`^\\| ${name}[^|]*\\| (\\d+) `, 'm').exec(text)?.[1])
  const shown = ['store', 'blocks', 'backup manifest'].map(formatOf)
  expect(shown).toEqual([STORE_VERSION, BLOCK_VERSION, MANIFEST_FORMAT])
})
