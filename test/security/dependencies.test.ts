// What others wrote and this program runs: few packages, each with its reason, in the version of the lockfile, and none
// runs anything when it is installed.

import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { Glob } from 'bun'

type Package = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  trustedDependencies?: string[]
  scripts?: Record<string, string>
}
const readPackage = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Package
const own = readPackage('package.json')
const namesOf = ({ dependencies = {}, devDependencies = {} }: Package) =>
  Object.keys({ ...dependencies, ...devDependencies })

test('each package has its reason in CONTRIBUTING, and nothing else has', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8').split('## Dependencies\n')[1]!
  const [list = ''] = text.split('\nPrograms that the bench')
  const named = Array.from(list.matchAll(/`((?:@[\w-]+\/)?[\w-]+)`/g), ([, name]) => name!)
  expect(named.sort()).toEqual(namesOf(own).sort())
})

test('what runs in production is what the sources import', async () => {
  const imported = new Set<string>()
  for (const file of new Glob('{src,workers,storage,explorer}/**/*.{ts,tsx}').scanSync('.')) {
    if (/node_modules|\.test\.ts$/.test(file)) continue
    // A line of an example, which the explorer shows, is a text.
    const source = (await Bun.file(file).text()).replaceAll(/"[^"\n]*"/g, '""')
    for (const [, path] of source.matchAll(/(?:from |import\()'([\w@][\w@/.-]*)'/g)) {
      if (/^(?:node:|bun(?::|$))/.test(path!)) continue
      imported.add(path!.split('/', path!.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  expect([...imported].sort()).toEqual(Object.keys(own.dependencies ?? {}).sort())
})

test.each(['.', 'bench/peers'])('the packages of %s are named in one version each, and locked', (folder) => {
  const { dependencies, devDependencies, optionalDependencies } = readPackage(`${folder}/package.json`)
  const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(all.filter(([, version]) => !/^[0-9]+\.[0-9]+\.[0-9]+(?:-[\w.]+)?$/.test(version))).toEqual([])
  const lock = readFileSync(`${folder}/bun.lock`, 'utf8')
  for (const [name, version] of all) expect(lock).toContain(`"${name}": ["${name}@${version}"`)
  // Each comes from the registry and is checked against its hash; none from an address or a repository.
  const packages = lock
    .split('"packages": {')[1]!
    .split('\n')
    .filter((line) => /^ {4}"/.test(line))
  expect(packages.length).toBeGreaterThanOrEqual(all.length)
  expect(packages.filter((line) => !/"sha512-[A-Za-z0-9+/=]{88}"\],?$/.test(line))).toEqual([])
  expect(packages.filter((line) => /"(?:git|github|https?|file|link)[:+]/.test(line))).toEqual([])
})

test('every script that installs dependencies uses the lockfile', () => {
  for (const script of ['demo', 'build', 'test', 'bench:peers']) {
    expect([script, own.scripts?.[script]]).toEqual([script, expect.stringContaining('--frozen-lockfile')])
  }
  expect(readFileSync('.ci/run', 'utf8')).toContain('bun install --frozen-lockfile')
  expect(readFileSync('deploy/Containerfile', 'utf8')).toMatch(/--frozen-lockfile|bun run build/)
  expect(own.scripts?.['audit']).toBe('bun audit')
})

test('no package runs a script when it is installed, and nothing of it would have to', () => {
  // An empty list trusts no package; without a list the runtime uses its own.
  for (const folder of ['.', 'bench/peers']) {
    expect(readPackage(`${folder}/package.json`).trustedDependencies).toEqual([])
  }
  expect(readFileSync('bun.lock', 'utf8')).not.toContain('"trustedDependencies": [\n    "')
  expect(Object.keys(own.scripts ?? {}).filter((name) => /^(?:pre|post)|install|prepare/.test(name))).toEqual([])
  expect(existsSync('node_modules/lmdb/build')).toBe(false)
})
