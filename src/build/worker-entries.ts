// Finds the files that run in threads, and their place in the single binary. The program names such a file as `new
// URL('./file.ts', import.meta.url)`; the build embeds each and replaces the name with its location. Any other use of a
// module's own path works from source but not in the binary, so it fails the build.

import { join, relative, resolve } from 'node:path'
import { Glob } from 'bun'

const FOLDERS = ['src', 'workers', 'storage']
const THREAD_FILE = /new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url,?\s*\)/g
const OWN_PATH = /\bimport\.meta\.(?!main\b)\w+|\b__(?:dirname|filename)\b|\bnew (?:Worker|Piscina)\(\s*['"`]/

/** Returns the files that run in threads, as absolute paths. */
export async function workerEntries(project: string): Promise<string[]> {
  const found = new Set<string>()
  for (const folder of FOLDERS) {
    for (const file of new Glob(`${folder}/**/*.ts`).scanSync(project)) {
      if (/^src.build\b|\.test\.ts$/.test(file) || file.includes('node_modules')) continue
      const path = join(project, file)
      for (const [, target] of (await Bun.file(path).text()).matchAll(THREAD_FILE)) {
        found.add(resolve(path, '..', target!))
      }
    }
  }
  return [...found].sort()
}

/** Returns a source text for the binary. The names of files that run in threads are replaced with their locations below
 *  `root`. */
export function withEmbeddedPaths(source: string, file: string, { project, root }: { project: string; root: string }) {
  const rewritten = source.replace(THREAD_FILE, (_, target: string) => {
    return `new URL(${JSON.stringify(embeddedUrl(resolve(file, '..', target), { project, root }))})`
  })
  const left = OWN_PATH.exec(rewritten)
  if (left === null) return rewritten
  const line = rewritten.slice(0, left.index).split('\n').length
  throw new Error(
    `${relative(project, file)}:${line}: "${left[0]}" does not work in the single binary. A thread's file is named ` +
      "new URL('./file.ts', import.meta.url); another file is imported, with { type: 'text' } or { type: 'file' }",
  )
}

/** Bun embeds an entry point under its path in the project, as JavaScript. */
export const embeddedUrl = (path: string, { project, root }: { project: string; root: string }): string =>
  `${root}${relative(project, path).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`
