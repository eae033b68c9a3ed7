// Replaces modules of packages that load their own files from disk, because the single binary has no such files. The
// build fails if a package no longer looks as expected.

import { dirname, join, relative } from 'node:path'
import type { BunPlugin } from 'bun'
import type { ExplorerFile } from '../explorer/explorer-file.ts'
import { servedTexts } from '../routes/served-texts.ts'
import { embeddedUrl, withEmbeddedPaths } from './worker-entries.ts'

export type Bundle = {
  project: string
  /** The addon's file. */
  addon: string
  /** URL of the embedded files' root in the running binary. */
  root: string
  /** The explorer's files. They are bundled beforehand, because a build that waits for another build never ends. */
  explorer: readonly ExplorerFile[]
}

export const PISCINA_WORKER = 'node_modules/piscina/dist/worker.js'

/** Files that the bundler must find. If it does not find one, a package has changed, and the binary would not work. */
export const REPLACED_MODULES = [
  /[\\/]node-gyp-build-optional-packages[\\/]index\.js$/,
  /[\\/]piscina[\\/]dist[\\/]index\.js$/,
  /[\\/]src[\\/]explorer[\\/]explorer-files\.ts$/,
  /[\\/]src[\\/]routes[\\/]served-texts\.ts$/,
]

/** Optional addons that the binary leaves out: each would have to be found, unpacked and built for every platform. The
 *  addon of msgpackr reads strings faster, but blocks have hardly any strings. The addon of piscina lowers the priority
 *  of threads, which our threads do not use. */
const DISPENSABLE = /[\\/](?:msgpackr-extract|@napi-rs[\\/]nice)[\\/]index\.js$/

/** Returns the bundler's plugin. The plugin calls `seen` with each file in the bundle. */
export const bundlePlugin = (bundle: Bundle, seen: (path: string) => void): BunPlugin => ({
  name: 'single-binary',
  setup(build) {
    const load = (filter: RegExp, contents: (path: string) => string | undefined | Promise<string | undefined>) =>
      build.onLoad({ filter }, async ({ path, loader }) => {
        seen(path)
        const text = await contents(path)
        return text === undefined ? undefined : { contents: text, loader }
      })

    load(REPLACED_MODULES[0]!, (path) => addonModule(dirname(path), bundle.addon))
    load(REPLACED_MODULES[1]!, async (path) => piscina(await Bun.file(path).text(), bundle))
    load(REPLACED_MODULES[2]!, () => explorerModule(bundle.explorer))
    load(REPLACED_MODULES[3]!, () => `export const servedTexts = () => (${JSON.stringify(servedTexts())})`)
    load(DISPENSABLE, () => 'module.exports = undefined')
    load(/\.node$/, (path) => {
      if (path === bundle.addon) return undefined
      throw new Error(`${path} is an addon that the single binary does not know: see src/build/bundle-plugin.ts`)
    })
    load(/\.[cm]?[jt]s$/, async (path) => {
      if (/node_modules|^src.build\b/.test(relative(bundle.project, path))) return undefined
      return withEmbeddedPaths(await Bun.file(path).text(), path, bundle)
    })
  },
})

/** Replaces node-gyp-build-optional-packages. LMDB loads its addon through that package, which tries file names. */
const addonModule = (folder: string, addon: string) => `
  import { loadAddon } from ${importPath(folder, join(import.meta.dir, 'load-addon.ts'))}
  import embedded from ${importPath(folder, addon)} with { type: 'file' }
  export default () => loadAddon(embedded)`

const explorerModule = (files: readonly ExplorerFile[]) =>
  `export const explorerFiles = () => Promise.resolve(${JSON.stringify(files)})`

/** Returns a relative path. The binary contains this text for its stack traces, and must be the same wherever it is
 *  built. */
const importPath = (folder: string, path: string) => JSON.stringify(relative(folder, path).replaceAll('\\', '/'))

/** Returns piscina's source with the embedded path of its worker script, which piscina starts in each thread. */
function piscina(source: string, { project, root }: Bundle): string {
  const own = "(0, node_path_1.resolve)(__dirname, 'worker.js')"
  if (!source.includes(own))
    throw new Error(`piscina no longer names its worker ${own}: see src/build/bundle-plugin.ts`)
  const url = embeddedUrl(join(project, PISCINA_WORKER), { project, root })
  return source.replace(own, `require('node:url').fileURLToPath(${JSON.stringify(url)})`)
}
