// The platforms that a binary can be made for: those with both LMDB's addon and the Bun runtime.

export type Target = {
  /** Package of the runtime, to which a cross build appends the program. */
  runtime: string
  /** Path of the addon below node_modules. */
  addon: string
  /** The platform's name in `bun install`. */
  os: 'linux' | 'darwin' | 'win32'
  cpu: 'x64' | 'arm64'
  libc: 'glibc' | 'musl'
}

const linux = (cpu: 'x64' | 'arm64', libc: 'glibc' | 'musl', runtime: string): Target => ({
  runtime: `@oven/bun-linux-${runtime}`,
  addon: `@lmdb/lmdb-linux-${cpu}/node.napi.${libc}.node`,
  os: 'linux',
  cpu,
  libc,
})

const elsewhere = (os: 'darwin' | 'win32', cpu: 'x64' | 'arm64', runtime: string): Target => ({
  runtime: `@oven/bun-${runtime}`,
  addon: `@lmdb/lmdb-${os}-${cpu}/node.napi.node`,
  os,
  cpu,
  libc: 'glibc',
})

export const TARGETS = {
  'linux-x64': linux('x64', 'glibc', 'x64'),
  'linux-x64-musl': linux('x64', 'musl', 'x64-musl'),
  'linux-arm64': linux('arm64', 'glibc', 'aarch64'),
  'linux-arm64-musl': linux('arm64', 'musl', 'aarch64-musl'),
  'darwin-x64': elsewhere('darwin', 'x64', 'darwin-x64'),
  'darwin-arm64': elsewhere('darwin', 'arm64', 'darwin-aarch64'),
  'windows-x64': elsewhere('win32', 'x64', 'windows-x64'),
  'windows-arm64': elsewhere('win32', 'arm64', 'windows-aarch64'),
} satisfies Record<string, Target>

export type TargetName = keyof typeof TARGETS

/** Remaining manual steps for a binary, printed when it is made. */
export const AFTERWARDS: Partial<Record<TargetName, string>> = {
  // The bundler re-signs only for Apple's own processors; here the runtime's signature remains and no longer matches.
  'darwin-x64': 'its signature is not valid: sign it on a Mac before it is run, codesign --force --sign - FILE',
}

export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[]

export const isTargetName = (name: string): name is TargetName => Object.hasOwn(TARGETS, name)

/** Returns the target of this machine, as the running Bun was built for it. */
export function hostTarget(platform: string, arch: string, isMusl: boolean): TargetName {
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}${platform === 'linux' && isMusl ? '-musl' : ''}`
  if (isTargetName(name)) return name
  throw new Error(
    `There is no binary for ${name}: LMDB's addon or the Bun runtime is missing. There is one for ${list}`,
  )
}

const list = TARGET_NAMES.join(', ')

/** The URL at which a running binary finds its embedded files. */
export const embeddedRoot = (name: TargetName): string =>
  TARGETS[name].os === 'win32' ? 'file:///B:/~BUN/root/' : 'file:///$bunfs/root/'
