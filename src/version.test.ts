// Tests the version of the program, which the packages of the clients share.

import { expect, test } from 'bun:test'
import { VERSION } from './version.ts'

const ROOT = `${import.meta.dir}/..`

test('the version is a version', () => expect(VERSION).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+/))

test.each(['typescript/package.json', 'python/pyproject.toml', 'python/src/backbook/__init__.py'])(
  'clients/%s has the same version',
  async (path) => expect(await Bun.file(`${ROOT}/clients/${path}`).text()).toContain(`"${VERSION}"`),
)
