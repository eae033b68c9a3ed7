// Checks SECURITY.md and its tests. Each promise names a test, each test is named, and its statements about the program
// are true.

import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const text = readFileSync('SECURITY.md', 'utf8')
const chapter = (title: string) => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

test('each promise names its test, and a promise names each test', () => {
  const promises = chapter('Promises, and what tests them').match(/^[0-9]+\. (?:.|\n(?! *\n|[0-9]+\. ))+/gm) ?? []
  expect(promises.map((promise) => Number.parseInt(promise, 10))).toEqual(promises.map((_, index) => index + 1))
  const named = promises.map((promise) => /`([\w./-]+\.test\.ts)`\s*$/.exec(promise)?.[1] ?? promise)
  const tests = readdirSync(import.meta.dir).filter((name) => name.endsWith('.test.ts') && name !== 'promises.test.ts')
  expect(named.filter((name) => !existsSync(join(import.meta.dir, name)))).toEqual([])
  expect(named.filter((name) => !name.includes('/')).sort()).toEqual(tests.sort())
})

test('every link leads to an existing file', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)(?:#([\w-]+))?\)/g)]
  expect(links.length).toBeGreaterThan(0)
  for (const [, path, anchor] of links) {
    expect([path, existsSync(path!)]).toEqual([path, true])
    const titles = Array.from(readFileSync(path!, 'utf8').matchAll(/^#+ (.+)$/gm), ([, title]) =>
      title!.toLowerCase().replaceAll(' ', '-'),
    )
    if (anchor !== undefined) expect(titles).toContain(anchor)
  }
})

test('the systemd units do what SECURITY.md says about them', () => {
  for (const unit of ['backbook.service', 'backbook-backup.service']) {
    const lines = readFileSync(join('deploy', unit), 'utf8').split('\n')
    const rules = [
      'UMask=0077',
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'ProtectSystem=strict',
      'User=backbook',
    ]
    for (const rule of [...rules, 'StateDirectoryMode=0700', 'ProtectHome=yes', 'PrivateTmp=yes'])
      expect(lines).toContain(rule)
  }
})
