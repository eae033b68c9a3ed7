// Tests the settings file: TOML or JSON, and errors that do not show its content.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../../test/support/server.ts'
import { findConfigFile, readConfigFile } from './config-file.ts'

async function read(name: string, text: string) {
  using folder = temporaryFolder()
  const path = join(folder.path, name)
  await Bun.write(path, text)
  return readConfigFile(path).values
}

test('TOML and JSON give the same values', async () => {
  const expected = { port: 1, admin_token: 'x#y' }
  expect(await read('backbook.toml', '# a comment\nport = 1\nadmin_token = "x#y" # another\n')).toEqual(expected)
  expect(await read('backbook.json', '{"port": 1, "admin_token": "x#y"}')).toEqual(expected)
})

test.each([
  ['a.toml', 'admin_token = hunter2hunter2'],
  ['a.toml', 'admin_token = "hunter2\n'],
  ['a.toml', '[[['],
  ['a.json', '{"admin_token": hunter2hunter2}'],
  ['a.json', '[]'],
  ['a.json', ''],
])('%s with %j cannot be read, and the error does not repeat its content', async (name, text) => {
  const message = await read(name, text).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(message).toMatch(new RegExp(`^cannot read \\S+${name}: .+`))
  expect(message).not.toContain('\n')
  expect(message).not.toContain('hunter2')
})

test('a file named by the user must exist', () => {
  expect(() => findConfigFile('/none/a.toml', {})).toThrow(
    '--config must name a TOML or JSON file of settings, got "/none/a.toml"',
  )
  expect(() => findConfigFile(undefined, { BACKBOOK_CONFIG: '/none/a.toml' })).toThrow('BACKBOOK_CONFIG must name')
  expect(findConfigFile(undefined, { BACKBOOK_CONFIG: '' })).toBeUndefined()
})
