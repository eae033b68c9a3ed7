// Checks the code base itself: an invariant of ARCHITECTURE.md that is broken fails here.

import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'

/** What the files of a layer may import, besides node:, bun and bun:. Each third-party package is known to one layer. */
const MAY_IMPORT: Record<string, string[]> = {
  storage: ['storage', 'lmdb', 'msgpackr', 'ordered-binary'],
  workers: ['workers', 'storage', 'piscina', 'msgpackr'],
  src: [
    'src',
    'package.json',
    'docs',
    'deploy',
    'workers',
    'storage',
    'elysia',
    '@elysiajs/swagger',
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
    'swagger-ui-dist',
    '@sinclair/typebox',
    'commander',
    'cli-progress',
    'cli-table3',
    'hyparquet-writer',
    'lru-cache',
    'negotiator',
    'pino',
    'prom-client',
    'stripe',
  ],
}

/** Folders of workers/ that compute and nothing else: no files, no clock, no environment, no threads. */
const PURE = ['workers/book', 'workers/bytes', 'workers/table', 'workers/venues']
const IMPURE_IMPORTS = /from '(?:node:fs|node:worker_threads|node:net|node:http|piscina|lmdb)'/
const IMPURE_CALLS = /\b(?:Date\.now\(|performance\.now\(|Math\.random\(|process\.|Bun\.file\(|Bun\.write\()/

const LINES_MAX = 300
/** A line with a template is left alone: breaking a text in two does not make it easier to read. */
const COLUMNS_MAX = 120

/** The package of an import such as `@sinclair/typebox/value`. */
const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

/** Without what is installed there, since the bench has packages of its own, and without what is generated. */
const filesOf = (folder: string) =>
  [...new Glob(`${folder}/**/*.ts`).scanSync('.')].filter((file) => !/node_modules\/|\.d\.ts$/.test(file)).sort()

for (const [layer, allowed] of Object.entries(MAY_IMPORT)) {
  describe(layer, () => {
    test.each(filesOf(layer))('%s imports only from its layer and those below', async (file) => {
      const source = await Bun.file(file).text()
      const paths = [...source.matchAll(/from '([^']+)'/g)].map(([, path]) => path!)
      const targets = paths
        .filter((path) => !path.startsWith('node:') && !/^bun(?::|$)/.test(path))
        .map((path) =>
          path.startsWith('.') ? new URL(path, `file:///${file}`).pathname.split('/')[1]! : packageOf(path),
        )
      expect(targets.filter((target) => !allowed.includes(target))).toEqual([])
    })
  })
}

describe('pure computation', () => {
  test.each(PURE.flatMap(filesOf))('%s does no I/O and asks no clock', async (file) => {
    const source = await Bun.file(file).text()
    expect(source.match(IMPURE_IMPORTS)?.[0]).toBeUndefined()
    expect(source.match(IMPURE_CALLS)?.[0]).toBeUndefined()
  })
})

describe('every file', () => {
  const code = ['storage', 'workers', 'src', 'bench'].flatMap(filesOf)

  test.each([...code, ...filesOf('test')])('%s opens with what it is, and fits', async (file) => {
    const source = await Bun.file(file).text()
    expect(source).toStartWith('// ')
    expect(source.split('\n').length).toBeLessThanOrEqual(LINES_MAX + 1)
  })

  test.each(code)('%s has no line that runs off the screen', async (file) => {
    const lines = (await Bun.file(file).text()).split('\n')
    expect(lines.filter((line) => line.length > COLUMNS_MAX && !line.includes('`'))).toEqual([])
  })

  test.each(code)('%s has no way around the type checker', async (file) => {
    const source = await Bun.file(file).text()
    expect(source.match(/: any\b|<any>|\bas any\b|@ts-ignore|@ts-expect-error/)?.[0]).toBeUndefined()
  })

  test('no folder or file is named for holding this and that', () => {
    const vague = /(?:^|\/)(?:utils?|helpers?|common|misc|manager|service)(?:\/|\.ts$)/
    expect(code.filter((file) => vague.test(file))).toEqual([])
  })
})

describe('the guide', () => {
  test.each(['README.md', ...new Glob('docs/*.md').scanSync('.')])(
    '%s has no line that runs off the screen',
    async (file) => {
      const text = await Bun.file(file).text()
      // What is printed by programs, and rows of tables, cannot be broken.
      const prose = text.replaceAll(/^```.*?^```$/gms, '').split('\n')
      expect(prose.filter((line) => line.length > COLUMNS_MAX && !line.startsWith('|'))).toEqual([])
    },
  )
})

test('nothing imports from tests or benches', async () => {
  for (const file of ['storage', 'workers', 'src'].flatMap(filesOf)) {
    const source = await Bun.file(file).text()
    expect(source.match(/from '[^']*\/(?:test|bench)\//)?.[0]).toBeUndefined()
  }
})
