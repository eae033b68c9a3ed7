// The platforms a binary can be made for: what exists of LMDB's addon and of the Bun runtime.

export type Target = {
  /** Package of the runtime, which a cross build appends the program to. */
  runtime: string
  /** Where the addon is, below node_modules. */
  addon: string
  /** What `bun install` calls the platform. */
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

/** What still has to be done with a binary, told when it is made. */
export const AFTERWARDS: Partial<Record<TargetName, string>> = {
  // The bundler signs anew for Apple's own processors alone; here the runtime's signature is left, and no longer fits.
  'darwin-x64': 'its signature is not valid: sign it on a Mac before it is run, codesign --force --sign - FILE',
}

export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[]

export const isTargetName = (name: string): name is TargetName => Object.hasOwn(TARGETS, name)

/** The target that is this machine, as the running Bun was made for it. */
export function hostTarget(platform: string, arch: string, isMusl: boolean): TargetName {
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}${platform === 'linux' && isMusl ? '-musl' : ''}`
  if (isTargetName(name)) return name
  throw new Error(
    `There is no binary for ${name}: LMDB's addon or the Bun runtime is missing. There is one for ${list}`,
  )
}

const list = TARGET_NAMES.join(', ')

/** Where a running binary finds the files that are embedded in it. */
export const embeddedRoot = (name: TargetName): string =>
  TARGETS[name].os === 'win32' ? 'file:///B:/~BUN/root/' : 'file:///$bunfs/root/'
