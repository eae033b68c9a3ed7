// `bun run build`: makes dist/backbook for this machine, or for others with --target, with the licences of its content
// and checksums of both.

import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { $, Glob } from 'bun'
import { Command, Option } from 'commander'
import { compile } from './compile.ts'
import { licencesText } from './licences.ts'
import { AFTERWARDS, hostTarget, isTargetName, TARGET_NAMES, TARGETS, type TargetName } from './targets.ts'

const PROJECT = resolve(import.meta.dir, '../..')
/** The folder with the runtimes and addons of all platforms, which a lockfile pins. The runtime and the addon of a
 *  target are installed when the target is built. */
const CROSS = join(import.meta.dir, 'cross')
const LICENCES = 'LICENSES.txt'

const program = new Command('build')
  .description('Make the single binary, in dist')
  .addOption(new Option('--target <targets...>', 'platforms instead of this machine').choices([...TARGET_NAMES, 'all']))
  .option('--outdir <folder>', 'where the binary goes', join(PROJECT, 'dist'))
  .action(build)

async function build({ target: named, ...options }: { target?: string[]; outdir: string }): Promise<void> {
  const outdir = resolve(options.outdir)
  mkdirSync(outdir, { recursive: true })
  const revision = await gitRevision()
  const targets = named?.includes('all') ? TARGET_NAMES : (named ?? []).filter(isTargetName)
  const files = new Set<string>()
  const make = async (target: TargetName, outfile: string, parts: { addon: string; runtime: string | undefined }) => {
    const build = `${revision}${target}, Bun ${Bun.version}`
    for (const file of await compile({ project: PROJECT, target, outfile, build, ...parts })) files.add(file)
    process.stdout.write(`${outfile}  ${Math.round(Bun.file(outfile).size / 1e6)} MB, ${target}\n`)
    if (AFTERWARDS[target] !== undefined) process.stderr.write(`${target}: ${AFTERWARDS[target]}\n`)
  }

  if (targets.length === 0) {
    const target = thisMachine()
    const addon = installed(join(PROJECT, 'node_modules'), TARGETS[target].addon)
    await make(target, join(outdir, executable('backbook', target)), { addon, runtime: undefined })
  }
  for (const target of targets) {
    await make(target, join(outdir, executable(`backbook-${target}`, target)), await partsOf(target))
  }
  const own = await Bun.file(join(PROJECT, 'LICENSE')).text()
  await Bun.write(join(outdir, LICENCES), await licencesText(own, files, Bun.version))
  await writeChecksums(outdir)
}

function thisMachine(): TargetName {
  const isMusl = process.platform === 'linux' && [...new Glob('ld-musl-*').scanSync('/lib')].length > 0
  return hostTarget(process.platform, process.arch, isMusl)
}

const executable = (name: string, target: TargetName) => (TARGETS[target].os === 'win32' ? `${name}.exe` : name)

/** Installs the addon and the runtime of another platform from the registry. */
async function partsOf(target: TargetName): Promise<{ addon: string; runtime: string }> {
  const { os, cpu, libc, addon, runtime } = TARGETS[target]
  const platform = [`--os=${os}`, `--cpu=${cpu}`, `--libc=${libc}`]
  const install = [process.execPath, 'install', '--frozen-lockfile', '--silent', ...platform]
  const { exitCode } = Bun.spawnSync(install, { cwd: CROSS, stdout: 'inherit', stderr: 'inherit' })
  if (exitCode !== 0) throw new Error(`What ${target} is made of cannot be installed (it needs the npm registry)`)
  const modules = join(CROSS, 'node_modules')
  assertVersion(modules, addon.split('/').slice(0, 2).join('/'), versionOf(join(PROJECT, 'node_modules'), 'lmdb'))
  assertVersion(modules, runtime, Bun.version)
  const program = `${runtime}/bin/bun${os === 'win32' ? '.exe' : ''}`
  return { addon: installed(modules, addon), runtime: installed(modules, program) }
}

function installed(modules: string, path: string): string {
  const file = join(modules, path)
  if (!existsSync(file)) throw new Error(`${path} is not in ${modules}: run "bun install" on this platform`)
  return file
}

/** Ensures that a binary contains the versions that the tests ran with. */
function assertVersion(modules: string, name: string, wanted: string): void {
  const version = versionOf(modules, name)
  if (version === wanted) return
  throw new Error(`${name} is ${version} in src/build/cross, and ${wanted} here: change its package.json, bun install`)
}

const versionOf = (modules: string, name: string): string =>
  (JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string }).version

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
