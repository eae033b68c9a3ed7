// Compiles one binary: the program, its threads' files and the addon, appended to the running Bun.

import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bundleExplorer } from '../explorer/bundle-explorer.ts'
import { bundlePlugin, PISCINA_WORKER, REPLACED_MODULES } from './bundle-plugin.ts'
import type { Platform } from './platform.ts'
import { workerEntries } from './worker-entries.ts'

export type CompileOptions = {
  project: string
  platform: Platform
  /** The addon's file. */
  addon: string
  outfile: string
  /** What `--version` prints after the version. */
  build: string
}

/** Compiles a binary and returns the paths of all files in it. Throws one error with all messages of the bundler.
 *  Replaces an existing binary, which may be running, once the new one is complete. */
export async function compile(options: CompileOptions): Promise<Set<string>> {
  // Build in a scratch folder: the bundler puts its source maps beside the binary, although the binary also contains
  // them.
  const scratch = mkdtempSync(join(dirname(options.outfile), '.build-'))
  try {
    const outfile = join(scratch, basename(options.outfile))
    const files = await bundle({ ...options, outfile })
    renameSync(outfile, options.outfile)
    return files
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

async function bundle({ project, platform, addon, outfile, build }: CompileOptions): Promise<Set<string>> {
  const files = new Set([addon])
  const seen = (path: string) => files.add(path)
  const explorer = await bundleExplorer(project, { seen })
  const result = await Bun.build({
    entrypoints: [join(project, 'src/main.ts'), ...(await workerEntries(project)), join(project, PISCINA_WORKER)],
    root: project,
    target: 'bun',
    format: 'esm',
    // With splitting, a command loads only the code that it needs. With bytecode, it starts in a third of the time.
    splitting: true,
    bytecode: true,
    // Not minified: Elysia reads the source text of handlers to see what they use. With the source map, stack traces
    // name the files and lines of the source.
    minify: false,
    sourcemap: 'inline',
    define: { BACKBOOK_BUILD: JSON.stringify(build) },
    plugins: [bundlePlugin({ project, addon, root: platform.root, explorer }, seen)],
    compile: {
      outfile,
      // Configuration files in the working folder must not change the program.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
    throw: false,
  })
  if (!result.success) throw new Error(result.logs.map(String).join('\n'))
  for (const replaced of REPLACED_MODULES) {
    const isMet = [...files].some((file) => replaced.test(file))
    if (!isMet) throw new Error(`${replaced} is no longer part of the program: see src/build/bundle-plugin.ts`)
  }
  return files
}
