// Limits the bytes that a browser loads before it shows something: the page, its styles and its main script, which
// also draws the chart of a market. The start page and the page of a market each load further scripts (`VIEWS`).

import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleExplorer } from './bundle-explorer.ts'
import type { ExplorerFile } from './explorer-file.ts'

const BYTES_MAX = 75 * 1_024
/** The scripts that each page loads besides the main script before it shows anything. */
const VIEWS = { start: ['start-page'], market: ['ladder', 'player'] }

let files: Map<string, ExplorerFile>

beforeAll(async () => {
  const bundled = await bundleExplorer(join(import.meta.dir, '../..'))
  files = new Map(bundled.map((file) => [file.name, file]))
})

/** Returns a file together with all files that it needs, directly or through others. */
function loadedWith(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const { text } = files.get(name)!
  const named = name.endsWith('.html')
    ? text.matchAll(/(?:src|href)="\/explore\/assets\/([^"]+)"/g)
    : text.matchAll(/\b(?:from|import)"(?:[^"]*\/)?([^"/]+\.js)"/g)
  for (const [, other] of named) loadedWith(other!, found)
  return found
}

test.each(Object.entries(VIEWS))('the first view of the %s page is at most 75 KB compressed', (_, parts) => {
  const all = loadedWith('index.html')
  expect(Array.from(all, (name) => name.replace(/^.*\./, '')).sort()).toEqual(
    expect.arrayContaining(['css', 'html', 'js', 'svg']),
  )
  for (const part of parts) {
    const names = [...files.keys()].filter((name) => name.startsWith(`${part}-`))
    expect(names).toHaveLength(1)
    loadedWith(names[0]!, all)
  }
  const sizes = Array.from(all, (name) => [name, gzipSync(files.get(name)!.text, { level: 9 }).length] as const)
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0)
  expect(bytes, JSON.stringify(sizes)).toBeLessThan(BYTES_MAX)
  expect(bytes).toBeGreaterThan(20_000)
})
