// The platforms of binaries, and what they are made of.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { hostTarget, TARGET_NAMES, TARGETS } from './targets.ts'

const CROSS = join(import.meta.dir, 'cross/package.json')

test.each([
  ['linux', 'x64', false, 'linux-x64'],
  ['linux', 'arm64', true, 'linux-arm64-musl'],
  ['darwin', 'arm64', false, 'darwin-arm64'],
  ['win32', 'x64', false, 'windows-x64'],
] as const)('%s %s, musl %p, is %s', (platform, arch, isMusl, expected) =>
  expect(hostTarget(platform, arch, isMusl)).toBe(expected),
)

test('a platform without an addon is refused, with those that have one', () =>
  expect(() => hostTarget('linux', 'riscv64', false)).toThrow(
    "There is no binary for linux-riscv64: LMDB's addon or the Bun runtime is missing. There is one for linux-x64, ",
  ))

test('every target is made of the versions that this project runs on', async () => {
  const { optionalDependencies } = (await Bun.file(CROSS).json()) as { optionalDependencies: Record<string, string> }
  const { dependencies, devDependencies } = (await import('../../package.json')).default
  for (const name of TARGET_NAMES) {
    const { runtime, addon } = TARGETS[name]
    expect(optionalDependencies[runtime]).toBe(devDependencies['bun-types'])
    expect(optionalDependencies[addon.split('/').slice(0, 2).join('/')]).toBe(dependencies.lmdb)
  }
})
