// Builds the package, ready for `npm pack`: `bun clients/typescript/build.ts [FOLDER]`. FOLDER is dist/typescript by
// default.

import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'

const HERE = import.meta.dir
const PROJECT = resolve(HERE, '../..')
const COMPILER = join(PROJECT, 'node_modules/.bin/tsc')

const target = resolve(process.argv[2] ?? join(PROJECT, 'dist/typescript'))
const folder = mkdtempSync(join(tmpdir(), 'backbook-client-'))
try {
  for (const name of new Glob('*.ts').scanSync(join(HERE, 'src'))) cpSync(join(HERE, 'src', name), join(folder, name))
  rmSync(join(folder, 'api.ts'))
  await Bun.write(
    join(folder, 'api.d.ts'),
    withoutElysia(await Bun.file(join(PROJECT, 'src/client/backbook.d.ts')).text()),
  )
  for (const name of ['tsconfig.json', 'package.json']) cpSync(join(HERE, name), join(folder, name))
  // The compiler needs the types of the optional peer dependency.
  cpSync(join(PROJECT, 'node_modules/@uwdata'), join(folder, 'node_modules/@uwdata'), { recursive: true })
  const { exitCode } = Bun.spawnSync([COMPILER, '-p', folder], { stdout: 'inherit', stderr: 'inherit' })
  if (exitCode !== 0) throw new Error('the package does not compile')
  const out = join(folder, 'out')
  for (const name of ['package.json', 'README.md']) cpSync(join(HERE, name), join(out, name))
  cpSync(join(PROJECT, 'LICENSE'), join(out, 'LICENSE'))
  renameSync(join(folder, 'api.d.ts'), join(out, 'api.d.ts'))
  rmSync(target, { recursive: true, force: true })
  cpSync(out, target, { recursive: true })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Removes Eden's `App` type, the only one that needs Elysia. Throws if the generated file has another form. */
function withoutElysia(types: string): string {
  const parts = types.replace("import type { Elysia } from 'elysia'\n", '').split('\n/** For `treaty<App>(address)`')
  if (parts.length !== 2 || parts[0]!.includes('Elysia')) throw new Error('backbook.d.ts has another form than it had')
  return parts[0]!
}
