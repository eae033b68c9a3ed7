// The program has few third-party packages, each with a reason and in the version of the lockfile. No package runs a
// script when it is installed.

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

test('CONTRIBUTING has a reason for each package, and for no other', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8').split('## Dependencies\n')[1]!
  const [list = ''] = text.split('\nPrograms that the bench')
  const named = Array.from(list.matchAll(/`((?:@[\w-]+\/)?[\w-]+)`/g), ([, name]) => name!)
  expect(named.sort()).toEqual(namesOf(own).sort())
})

test('the sources import every production package, and no other', async () => {
  const imported = new Set<string>()
  for (const file of new Glob('{src,workers,storage,explorer}/**/*.{ts,tsx}').scanSync('.')) {
    if (/node_modules|\.test\.ts$/.test(file)) continue
    // The explorer shows examples as text. An import in such a text does not count.
    const source = (await Bun.file(file).text()).replaceAll(/"[^"\n]*"/g, '""')
    for (const [, path] of source.matchAll(/(?:from |import\()'([\w@][\w@/.-]*)'/g)) {
      if (/^(?:node:|bun(?::|$))/.test(path!)) continue
      imported.add(path!.split('/', path!.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  expect([...imported].sort()).toEqual(Object.keys(own.dependencies ?? {}).sort())
})

test.each(['.', 'bench/peers'])('the packages of %s have one exact version each, and are locked', (folder) => {
  const { dependencies, devDependencies, optionalDependencies } = readPackage(`${folder}/package.json`)
  const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(all.filter(([, version]) => !/^[0-9]+\.[0-9]+\.[0-9]+(?:-[\w.]+)?$/.test(version))).toEqual([])
  const lock = readFileSync(`${folder}/bun.lock`, 'utf8')
  for (const [name, version] of all) expect(lock).toContain(`"${name}": ["${name}@${version}"`)
  // Each package comes from the registry and is checked against its hash. None comes from an address or a repository.
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

test('no package runs or needs a script when it is installed', () => {
  // An empty list trusts no package; without a list the runtime uses its own.
  for (const folder of ['.', 'bench/peers']) {
    expect(readPackage(`${folder}/package.json`).trustedDependencies).toEqual([])
  }
  expect(readFileSync('bun.lock', 'utf8')).not.toContain('"trustedDependencies": [\n    "')
  expect(Object.keys(own.scripts ?? {}).filter((name) => /^(?:pre|post)|install|prepare/.test(name))).toEqual([])
  expect(existsSync('node_modules/lmdb/build')).toBe(false)
})
