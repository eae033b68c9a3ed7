// Collects the licences of everything in a binary, as one text to distribute with it.

import { dirname, join } from 'node:path'
import { Glob } from 'bun'

const LICENCE_FILES = '**/{LICENSE,LICENCE,COPYING,COPYRIGHT,NOTICE,License,license}*'
const RULE = '-'.repeat(100)

/** Returns our licence (`own`) and those of Bun and of each package in the bundle. `files` are all bundled files.
 *  Throws if a package states no licence. */
export async function licencesText(own: string, files: Iterable<string>, bunVersion: string): Promise<string> {
  const folders = [...new Set([...files].flatMap((file) => packageFolder(file) ?? []))].sort()
  const parts = await Promise.all(folders.map(packageText))
  return `${[own.trimEnd(), heading(bunVersion), ...parts].join(`\n\n${RULE}\n\n`)}\n`
}

const heading = (
  bunVersion: string,
) => `The above is the licence of backbook. Its single binary also holds what follows.

The Bun runtime ${bunVersion}: MIT licence, Copyright (c) Oven (https://bun.com). It holds JavaScriptCore and WebKit
(LGPL version 2 and BSD licences) and other libraries, listed with their licences and with how to link it anew
at https://bun.com/docs/project/licensing.

The packages below.`

/** Returns the folder of the package that a file belongs to, or null for our own files. */
function packageFolder(file: string): string | null {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? null
}

async function packageText(folder: string): Promise<string> {
  const { name, version, license } = (await Bun.file(join(folder, 'package.json')).json()) as Record<string, string>
  const found = [...new Glob(LICENCE_FILES).scanSync(folder)]
  const paths = found.filter((path) => !/node_modules|\.[cm]?[jt]s$/.test(path))
  if (license === undefined && paths.length === 0) throw new Error(`${name} ${version} does not say how it is licensed`)
  const texts = await Promise.all(
    paths.sort().map(async (path) => {
      const text = (await Bun.file(join(folder, path)).text()).trimEnd()
      return dirname(path) === '.' ? text : `${path}:\n\n${text}`
    }),
  )
  return [`${name} ${version} (${license ?? 'licence below'})`, ...texts].join('\n\n')
}
