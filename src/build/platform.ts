// The platform of a machine: the name of its binary, its LMDB addon, and where a binary finds its embedded files.

export type Platform = {
  /** The platform in Bun's name of a target: `linux-x64` in `bun-linux-x64`. */
  name: string
  /** Path of LMDB's addon below node_modules. */
  addon: string
  /** The URL at which a running binary finds its embedded files. */
  root: string
}

/** Returns the platform of an operating system and processor, given by their names in Node. `isMusl` matters on Linux
 *  only. */
export function platformOf(platform: string, arch: string, isMusl: boolean): Platform {
  const isWindows = platform === 'win32'
  const libc = platform !== 'linux' ? '' : isMusl ? '.musl' : '.glibc'
  return {
    name: `${isWindows ? 'windows' : platform}-${arch}${libc === '.musl' ? '-musl' : ''}`,
    addon: `@lmdb/lmdb-${platform}-${arch}/node.napi${libc}.node`,
    root: isWindows ? 'file:///B:/~BUN/root/' : 'file:///$bunfs/root/',
  }
}
