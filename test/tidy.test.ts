// Checks the code base itself: a broken invariant of ARCHITECTURE.md fails here.

import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Glob } from 'bun'
import { TOPIC_NAMES } from '../bench/topics.ts'
import { circularArrows, filesOf, importGraph, importsOf, testsBeside, wayTo } from './tidy/import-graph.ts'
import { TORTURE_TOPICS } from './torture/topics.ts'

/** The packages and layers that the files of a layer may import. Only one layer imports each third-party package. */
const MAY_IMPORT: Record<string, string[]> = {
  storage: ['storage', 'lmdb', 'msgpackr'],
  workers: [
    'workers',
    'storage',
    '@uwdata/flechette',
    'hyparquet',
    'hyparquet-compressors',
    'hyparquet-writer',
    'piscina',
    'msgpackr',
  ],
  src: [
    'src',
    'package.json',
    'docs',
    'deploy',
    'workers',
    'storage',
    'elysia',
    '@elysiajs/swagger',
    '@modelcontextprotocol/sdk',
    'swagger-ui-dist',
    '@sinclair/typebox',
    'commander',
    'cli-progress',
    'cli-table3',
    'lru-cache',
    'negotiator',
    'pino',
    'stripe',
  ],
  explorer: ['explorer', '@preact/signals', 'preact'],
}

/** The files that programs start with. */
const ENTRIES = ['src/main.ts', 'src/build/main.ts', 'src/build/load-addon.ts', 'explorer/main.tsx']

/** The only file of the server that the page in the browser may import, for its types. */
const CLIENT_TYPES = 'src/client/backbook.d.ts'

/** The modules of the runtime that a layer may import. */
const MAY_IMPORT_OF_NODE: Record<string, string[]> = {
  storage: ['crypto', 'fs', 'os', 'path', 'worker_threads', 'zlib'],
  workers: [
    ...['assert/strict', 'crypto', 'dns/promises', 'fs', 'net', 'os', 'path', 'timers/promises', 'v8'],
    ...['stream/promises', 'worker_threads', 'zlib'],
  ],
  src: [
    ...['assert/strict', 'async_hooks', 'crypto', 'events', 'fs', 'fs/promises', 'http', 'net', 'os', 'path'],
    ...['stream', 'stream/promises', 'tty', 'util', 'zlib'],
  ],
  explorer: [],
}

/** Targets that the files of a folder may not import, not even through other imports, and the reason. */
const MAY_NOT_REACH: { folders: string[]; targets: RegExp; since: string }[] = [
  {
    folders: ['storage/format', 'workers/book', 'workers/bytes', 'workers/summary', 'workers/venues'],
    targets: /^(?:node:(?:fs|net|http|worker_threads|child_process)\b|piscina$|lmdb$)/,
    since: 'computation reads no file and knows no thread',
  },
  { folders: ['workers'], targets: /^(?:elysia|pino|stripe)$/, since: 'threads load nothing of the server' },
  {
    folders: ['src/http', 'src/answers', 'src/routes', 'src/openapi', 'src/observe', 'src/accounts'],
    targets: /^(?:lmdb|piscina)$|^storage\/lmdb\//,
    since: 'the server knows the store by its interfaces',
  },
]

const FILES_MAX = 20

/** Folders that only compute: no files, no clock, no environment, no threads. */
const PURE = ['workers/book', 'workers/bytes', 'workers/table', 'workers/venues']
const IMPURE_CALLS = /\b(?:Date\.now\(|performance\.now\(|Math\.random\(|process\.|Bun\.file\(|Bun\.write\()/

const LINES_MAX = 300
/** Maximum columns of a line. Lines with a template may be longer: breaking a text in two does not make it easier to
 *  read. */
const COLUMNS_MAX = 120

/** Returns the package of an import such as `@sinclair/typebox/value`. */
const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')
/** Returns the layer of a file: `src` of src/app.ts. */
const layerOf = (path: string) => path.slice(0, path.indexOf('/'))

const LAYERS = Object.keys(MAY_IMPORT)
const product = LAYERS.flatMap(filesOf)
const beside = LAYERS.flatMap(testsBeside)

/** Returns what a rule finds wrong in all files, as `file: what`. */
async function faults(files: readonly string[], wrongIn: (file: string) => Promise<readonly string[]>) {
  const found = await Promise.all(files.map(async (file) => (await wrongIn(file)).map((what) => `${file}: ${what}`)))
  return found.flat()
}
const textOf = (file: string) => Bun.file(file).text()

test.each(LAYERS)('%s imports only from its layer and those below', async (layer) => {
  const wrongIn = async (file: string) => {
    const targets = (await importsOf(file))
      .filter(({ target, isType }) => layer !== 'explorer' || !isType || target !== CLIENT_TYPES)
      .map(({ target }) => target)
      .filter((target) => layer === 'explorer' || !/^bun(?::|$)/.test(target))
    const ofNode = targets.filter((target) => target.startsWith('node:')).map((target) => target.slice(5))
    const others = targets.filter((target) => !target.startsWith('node:'))
    const names = others.map((target) =>
      /^(?:storage|workers|src|explorer)\//.test(target) ? layerOf(target) : packageOf(target),
    )
    const mayImport = [MAY_IMPORT[layer]!, MAY_IMPORT_OF_NODE[layer]!] as const
    return [
      ...names.filter((name) => !mayImport[0].includes(name)),
      ...ofNode.filter((name) => !mayImport[1].includes(name)),
    ]
  }
  expect(await faults(filesOf(layer), wrongIn)).toEqual([])
})

describe('imports of imports', async () => {
  const graph = await importGraph(product, { withTypes: false })

  test.each(MAY_NOT_REACH.flatMap(({ folders, ...rule }) => folders.map((folder) => ({ folder, ...rule }))))(
    'of $folder: $since',
    ({ folder, targets }) => {
      const way = wayTo(graph, filesOf(folder), (target) => targets.test(target))
      expect(way?.join(' → ')).toBeUndefined()
    },
  )

  test('no folders import each other in a circle', async () => {
    expect(circularArrows(await importGraph(product, { withTypes: true }))).toEqual([])
  })
})

/** Files that may name a venue: its own folder, `venue.ts` and `venues.ts`, and the formats of archives. */
const OF_VENUES = /(?:^|\/)venues?(?:\.ts$|\/)|^workers\/import\/(?:formats\/|rows\/\w+-rows\.ts$)/
/** Files that still name venues, until they are replaced. */
const NOT_YET = /^storage\/(?:lmdb|cluster)\//

test('only its own folders name a venue', async () => {
  const files = product.filter((file) => !OF_VENUES.test(file) && !NOT_YET.test(file))
  const wrongIn = async (file: string) => (await textOf(file)).match(/(['"`])(?:polymarket|kalshi)\1/g) ?? []
  expect(await faults(files, wrongIn)).toEqual([])
})

test('only the folders that use or open LMDB import it', async () => {
  const knowing = await Promise.all(
    product.map(async (file) => {
      const targets = (await importsOf(file)).map(({ target }) => target)
      return targets.some((target) => /^(?:lmdb$|storage\/lmdb\/)/.test(target)) ? [dirname(file)] : []
    }),
  )
  const folders = knowing.flat().map((folder) => folder.replace(/^(storage\/lmdb)\/.*/, '$1'))
  expect([...new Set(folders)].sort()).toEqual(['storage', 'storage/cluster/cache', 'storage/lmdb'])
})

test('pure computation does no I/O and reads no clock', async () => {
  const wrongIn = async (file: string) => (await textOf(file)).match(IMPURE_CALLS) ?? []
  expect(await faults(PURE.flatMap(filesOf), wrongIn)).toEqual([])
})

describe('every file', () => {
  const code = [...product, ...filesOf('bench'), ...filesOf('clients')]

  test('starts with a comment that describes it, and is short enough', async () => {
    const wrongIn = async (file: string) => {
      const source = await textOf(file)
      const lines = source.split('\n').length - 1
      return [...(source.startsWith('// ') ? [] : ['no comment']), ...(lines > LINES_MAX ? [`${lines} lines`] : [])]
    }
    expect(await faults([...code, ...beside, ...filesOf('test')], wrongIn)).toEqual([])
  })

  test('has no line that is too long', async () => {
    const wrongIn = async (file: string) =>
      (await textOf(file)).split('\n').filter((line) => line.length > COLUMNS_MAX && !line.includes('`'))
    expect(await faults(code, wrongIn)).toEqual([])
  })

  test('has no way around the type checker', async () => {
    const wrongIn = async (file: string) =>
      (await textOf(file)).match(/: any\b|<any>|\bas any\b|@ts-ignore|@ts-expect-error/) ?? []
    expect(await faults(code, wrongIn)).toEqual([])
  })

  test('no folder or file has a catch-all name', () => {
    const vague = /(?:^|\/)(?:utils?|helpers?|common|misc|manager|service)(?:\/|\.ts$)/
    expect(code.filter((file) => vague.test(file))).toEqual([])
  })
})

test('a folder holds at most 20 files', () => {
  const counts = Map.groupBy([...product, ...filesOf('test'), ...filesOf('bench')], (file) => dirname(file))
  const full = [...counts].filter(([, files]) => files.length > FILES_MAX).map(([folder]) => folder)
  expect(full).toEqual([])
})

const FOREIGN_DOCUMENT = /\b(?:SPEC|CONTRACT|DESIGN|REDESIGN|VENUES|STYLE|SCALE|RECORDING|EXPLORER)\b/g
/** A placeholder in recipes, which names no file. */
const ANY_FILE = 'file.ts'

test('files that comments and documents name exist', async () => {
  const all = ['**/*.{md,ts}', '.ci/*'].flatMap((glob) => [...new Glob(glob).scanSync({ cwd: '.', dot: true })])
  const files = all.filter((file) => !file.includes('node_modules/')).sort()
  const ends = new Set(files.flatMap((file) => file.split('/').map((_, start, parts) => parts.slice(start).join('/'))))

  const wrongIn = async (file: string) => {
    const text = await textOf(file)
    const prose = file.endsWith('.ts')
      ? Array.from(text.matchAll(/\/\/.*|^ *\/?\*.*/gm), ([comment]) => comment).join('\n')
      : text.replaceAll(/^```.*?^```$/gms, '')
    const named = prose.match(/(?<![\w./:-])[\w./-]*[\w-]\.(?:md|ts)\b/g) ?? []
    // A name may be the path at which the server has a page of docs/, such as docs/api.md.
    const missing = named.filter((name) => {
      const path = name.replace(/^[./]+/, '')
      return path !== ANY_FILE && !ends.has(path) && !ends.has(path.replace(/^docs\//, ''))
    })
    const foreign = prose.match(FOREIGN_DOCUMENT) ?? []
    return [...missing, ...foreign]
  }
  const named = files.filter((file) => /\.(?:md|ts)$/.test(file))
  expect(await faults(named, wrongIn)).toEqual([])
})

/** A path in a code span of a document that names a file or a folder. */
const NAMED_PATH = /`((?:\.ci|bench|clients|deploy|docs|explorer|src|storage|test|workers)\/[\w./-]*)`/g
const DOCUMENTS_GLOB = new Glob('{*,docs/**/*,bench/*,clients/*/*}.md')

test('paths that documents name exist', async () => {
  const documents = [...DOCUMENTS_GLOB.scanSync('.')].filter((file) => file !== 'CHANGELOG.md')
  const wrongIn = async (file: string) =>
    Array.from((await textOf(file)).matchAll(NAMED_PATH), ([, path]) => path!).filter((path) => !existsSync(path))
  expect(await faults(documents, wrongIn)).toEqual([])
})

test('ARCHITECTURE.md is short, and names every folder', async () => {
  const text = await textOf('ARCHITECTURE.md')
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(300)
  const folders = new Set(product.flatMap((file) => file.match(/^(?:src|workers|explorer)\/[^/]+(?=\/)/) ?? []))
  expect([...folders].filter((folder) => !text.includes(`\`${folder}\``))).toEqual([])
})

test('words of the glossary are names in the code', async () => {
  const words = Array.from((await textOf('docs/glossary.md')).matchAll(/^\| ([a-z][^|]*) \|/gm), ([, word]) => word!)
  const names = (await Promise.all(product.map(textOf))).flatMap((text) => text.match(/\b[A-Za-z]+\b/g) ?? [])
  const all = new Set(names.map((name) => name.toLowerCase()))
  expect(words.length).toBeGreaterThan(30)
  expect(words.filter((word) => !all.has(word.replaceAll(' ', '')))).toEqual([])
})

test('the guide has no line that is too long', async () => {
  const wrongIn = async (file: string) => {
    const text = await textOf(file)
    // Output of programs and rows of tables cannot be broken into lines.
    const prose = text.replaceAll(/^```.*?^```$/gms, '').split('\n')
    return prose.filter((line) => line.length > COLUMNS_MAX && !line.startsWith('|'))
  }
  expect(await faults(['README.md', ...new Glob('docs/**/*.md').scanSync('.')], wrongIn)).toEqual([])
})

test('the table of bench/README.md has every topic', async () => {
  const [, table] = (await textOf('bench/README.md')).split('## Topics')
  expect(TOPIC_NAMES.filter((name) => !table!.includes(`\`${name}\``))).toEqual([])
})

test('every topic of the torture has a smoke, or a test of its own', async () => {
  const smokes = (await Promise.all(filesOf('test/torture/smoke').map(textOf))).join('\n')
  const own = ['properties', 'simulation']
  const topics = Object.keys(TORTURE_TOPICS).filter((name) => !own.includes(name))
  expect(topics.filter((name) => !smokes.includes(`'${name}'`))).toEqual([])
})

test('a test next to the sources has the name of its source', () => {
  const sources = new Set(product.map((file) => file.replace(/\.tsx?$/, '')))
  expect(beside.filter((file) => !sources.has(file.replace(/\.test\.ts$/, '')))).toEqual([])
})

test('nothing imports from tests or benches', async () => {
  const targets = (await Promise.all(product.map(importsOf))).flat().map(({ target }) => target)
  expect(targets.filter((target) => /^(?:test|bench)\/|\.test\.ts$/.test(target))).toEqual([])
})

test('every file is used by the program, not by tests alone', async () => {
  const targets = new Set((await Promise.all(product.map(importsOf))).flat().map(({ target }) => target))
  expect(product.filter((file) => !targets.has(file) && !ENTRIES.includes(file))).toEqual([])
})
