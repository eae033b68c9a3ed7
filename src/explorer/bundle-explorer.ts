// Bundles the explorer's sources for browsers: minified, and named by content.

import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { EXPLORER_ASSETS, type ExplorerFile } from './explorer-file.ts'

/** Bundles the explorer. `project` is the folder of this project. If it is also the working folder, the file names are
 *  the same on every machine. Calls `seen` with each file in the bundle. Throws with all errors of the bundler. */
export async function bundleExplorer(
  project: string,
  { seen = () => {}, isMinified = true }: { seen?: (path: string) => void; isMinified?: boolean } = {},
): Promise<ExplorerFile[]> {
  const result = await Bun.build({
    entrypoints: [join(project, 'explorer/index.html')],
    root: join(project, 'explorer'),
    target: 'browser',
    splitting: true,
    minify: isMinified,
    publicPath: EXPLORER_ASSETS,
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    plugins: [reportFiles(seen)],
    throw: false,
  })
  if (!result.success) throw new Error(result.logs.map(String).join('\n'))
  const files = result.outputs.map(async (output) => {
    return { name: output.path.replace(/^.*[\\/]/, ''), type: typeOf(output.path), text: await output.text() }
  })
  return Promise.all(files)
}

const reportFiles = (seen: (path: string) => void): BunPlugin => ({
  name: 'seen',
  setup(build) {
    build.onLoad({ filter: /\.(?:[cm]?[jt]sx?|css)$/ }, ({ path }) => {
      seen(path)
      return undefined
    })
  },
})

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

function typeOf(path: string): string {
  const type = TYPES[path.replace(/^.*\./, '')]
  if (type === undefined)
    throw new Error(`${path} has a type that the explorer does not serve: see src/explorer/bundle-explorer.ts`)
  return type
}
