// `bun run build`: makes dist/backbook for this machine, with the licences of its content and checksums
// of both.

import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { $, Glob } from 'bun'
import { Command } from 'commander'
import { compile } from './compile.ts'
import { licencesText } from './licences.ts'
import { type Platform, platformOf } from './platform.ts'

const PROJECT = resolve(import.meta.dir, '../..')
const LICENCES = 'LICENSES.txt'

const program = new Command('build')
  .description('Make the single binary, in dist')
  .option('--outdir <folder>', 'where the binary goes', join(PROJECT, 'dist'))
  .action(build)

async function build(options: { outdir: string }): Promise<void> {
  const outdir = resolve(options.outdir)
  mkdirSync(outdir, { recursive: true })
  const platform = thisMachine()
  const addon = installed(join(PROJECT, 'node_modules'), platform.addon)
  const outfile = join(outdir, process.platform === 'win32' ? 'backbook.exe' : 'backbook')
  const build = `${await gitRevision()}${platform.name}, Bun ${Bun.version}`
  const files = await compile({ project: PROJECT, platform, addon, outfile, build })
  process.stdout.write(`${outfile}  ${Math.round(Bun.file(outfile).size / 1e6)} MB, ${platform.name}\n`)
  const own = await Bun.file(join(PROJECT, 'LICENSE')).text()
  await Bun.write(join(outdir, LICENCES), await licencesText(own, files, Bun.version))
  await writeChecksums(outdir)
}

function thisMachine(): Platform {
  const isMusl = process.platform === 'linux' && [...new Glob('ld-musl-*').scanSync('/lib')].length > 0
  return platformOf(process.platform, process.arch, isMusl)
}

function installed(modules: string, path: string): string {
  const file = join(modules, path)
  if (!existsSync(file)) throw new Error(`${path} is not in ${modules}: run "bun install" on this platform`)
  return file
}

/** Returns the commit, with a plus sign if files differ from it; an empty text outside of a repository. */
async function gitRevision(): Promise<string> {
  const { exitCode, stdout } = await $`git rev-parse --short=10 HEAD`.cwd(PROJECT).quiet().nothrow()
  if (exitCode !== 0) return ''
  const changed = await $`git status --porcelain --untracked-files=no`.cwd(PROJECT).quiet().nothrow().text()
  return `${stdout.toString().trim()}${changed === '' ? '' : '+'}, `
}

/** Writes the format that `sha256sum --check` reads. */
async function writeChecksums(outdir: string): Promise<void> {
  const names = [...new Glob(`{backbook*,${LICENCES}}`).scanSync(outdir)].sort()
  const lines = names.map(async (name) => {
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(outdir, name)).arrayBuffer())
    return `${hash.digest('hex')}  ${name}\n`
  })
  await Bun.write(join(outdir, 'SHA256SUMS'), (await Promise.all(lines)).join(''))
}

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`build: ${(error as Error).message}\n`)
  process.exitCode = 1
}
