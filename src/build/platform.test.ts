// Tests the platforms of binaries, and their addons.

import { expect, test } from 'bun:test'
import { platformOf } from './platform.ts'

test.each([
  ['linux', 'x64', false, 'linux-x64', '@lmdb/lmdb-linux-x64/node.napi.glibc.node'],
  ['linux', 'arm64', true, 'linux-arm64-musl', '@lmdb/lmdb-linux-arm64/node.napi.musl.node'],
  ['darwin', 'arm64', false, 'darwin-arm64', '@lmdb/lmdb-darwin-arm64/node.napi.node'],
  ['win32', 'x64', false, 'windows-x64', '@lmdb/lmdb-win32-x64/node.napi.node'],
] as const)('%s %s, musl %p, is %s with %s', (platform, arch, isMusl, name, addon) =>
  expect(platformOf(platform, arch, isMusl)).toMatchObject({ name, addon }),
)
