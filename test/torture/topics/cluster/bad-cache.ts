// A node whose cache is damaged, cannot be created, or is on a full disk. The node gives the same answers from the
// bucket. A damaged cache may end the node, but the next start must succeed.

import { closeSync, mkdirSync, openSync, readdirSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../../workers/synthetic/random.ts'
import { canMount } from '../../../support/disk/small-disk.ts'
import type { Round } from '../../topic.ts'
import type { StartOptions } from './cluster-node.ts'
import { ClusterTrial, type Fixture } from './cluster-trial.ts'

const DAMAGED_BYTES = 64

/** Damages the file of a cache while no process has it open. */
const FAULTS: Record<string, (file: string, random: Random) => void> = {
  'some bytes changed': (file, random) => {
    const { size } = statSync(file)
    const to = openSync(file, 'r+')
    for (let byte = 0; byte < DAMAGED_BYTES; byte++) {
      writeSync(to, Uint8Array.of(random.below(256)), 0, 1, random.below(size))
    }
    closeSync(to)
  },
  'cut off': (file, random) => truncateSync(file, random.below(statSync(file).size)),
  'made empty': (file) => truncateSync(file, 0),
  'made garbage': (file, random) => writeFileSync(file, random.hex(4_096)),
}

export async function badCache(round: Round, fixture: Fixture): Promise<void> {
  const { random, tally, isSmoke } = round
  await using trial = await ClusterTrial.begin(round, fixture)
  await trial.load(fixture.captures.files)
  const folder = join(trial.folder, 'node')
  const names = Object.keys(FAULTS)
  for (const name of isSmoke ? [random.pick(names)] : names) {
    await expectRight(trial, 'node', { folder })
    for (const file of cacheFiles(folder)) FAULTS[name]!(file, random)
    try {
      await expectRight(trial, 'node', { folder })
    } catch (error) {
      if (!hasMark(folder)) throw error
      tally.add('nodes that a damaged cache ended')
      await expectRight(trial, 'node', { folder })
    }
    tally.add(`cache: ${name}`)
  }
  const blocked = join(trial.folder, 'blocked')
  mkdirSync(blocked)
  writeFileSync(join(blocked, 'cache'), '')
  await expectRight(trial, 'blocked', { folder: blocked })
  tally.add('cache: a file in place of its folder')
  if (!canMount) return
  for (const [name, mount] of Object.entries(DISKS)) {
    const disk = join(trial.folder, name.replaceAll(' ', '-'))
    mkdirSync(disk)
    const script = `mkdir "$0/cache" && ${mount} && exec "$@"`
    await expectRight(trial, name, {
      folder: disk,
      before: ['unshare', '--map-root-user', '--mount', 'sh', '-c', script, disk],
    })
    tally.add(`cache: on a ${name}`)
  }
}

const DISKS = {
  'full disk': 'mount -t tmpfs -o size=256k tmpfs "$0/cache"',
  'disk that cannot be written': 'mount -t tmpfs -o ro tmpfs "$0/cache"',
}

/** Starts a node, checks all its answers twice, and stops it. The second check may get answers from the cache. */
async function expectRight(trial: ClusterTrial, name: string, options: Partial<StartOptions>): Promise<void> {
  const node = await trial.node(name, options)
  await trial.fixture.known.expectAll(node)
  await trial.fixture.known.expectAll(node)
  await node.stop()
}

/** Returns whether a node ended without closing its cache. */
const hasMark = (folder: string): boolean =>
  readdirSync(join(folder, 'cache')).some((name) => /^pieces-.*\.[0-9]+$/.test(name))

function cacheFiles(folder: string): string[] {
  const cache = join(folder, 'cache')
  const files = readdirSync(cache, { recursive: true, encoding: 'utf8' }).map((name) => join(cache, name))
  const found = files.filter((file) => file.endsWith('data.mdb'))
  if (found.length === 0) throw new Error(`a node has no cache in ${files}`)
  return found
}
