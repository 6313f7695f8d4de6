import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { absentOr } from '../unreadable.ts'
import { signalOne } from './process-table.ts'

/**
 * A folder, below Berth's own, in which control groups can be created and processes put; undefined: this host does not allow
 * it. A process stays in such a group whatever it does to its session and environment.
 */
export function findControlGroup(name: string): string | undefined {
  return basesOf(read('/proc/self/cgroup'), read('/proc/self/mountinfo'))
    .map((base) => join(base, name))
    .find(isUsable)
}

/** Version 2 first, then hierarchies of version 1 in which a group has no limits of its own. */
function basesOf(groups: string, mounts: string): readonly string[] {
  const lines = groups.split('\n').flatMap((line) => {
    const [, controller, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    return controller === undefined || path === undefined ? [] : [{ controller, path }]
  })
  return ['', 'name=systemd', 'pids', 'freezer'].flatMap((controller) => {
    const path = lines.find((line) => line.controller === controller)?.path
    const mount = mounts
      .split('\n')
      .map(mountOf)
      .find((entry) => entry?.controller === controller)
    if (path === undefined || mount === undefined) return []
    const below = relative(mount.root, path)
    return below.startsWith('..') ? [] : [join(mount.point, below)]
  })
}

/** `36 35 98:0 /root /point options - type source more`. */
function mountOf(
  line: string,
): { readonly controller: string; readonly root: string; readonly point: string } | undefined {
  const [left = '', right = ''] = line.split(' - ')
  const [, , , root = '', point = ''] = left.split(' ')
  const [type, , more = ''] = right.split(' ')
  if (type === 'cgroup2') return { controller: '', root, point }
  const options = more.split(',')
  const controller = ['name=systemd', 'pids', 'freezer'].find((one) => options.includes(one))
  return type === 'cgroup' && controller !== undefined ? { controller, root, point } : undefined
}

/** Tested with a real process, because the permissions of the files do not tell everything. */
function isUsable(folder: string): boolean {
  const trial = join(folder, `trial-${process.pid}`)
  try {
    mkdirSync(trial, { recursive: true })
    const argv = ['-c', 'echo $$ > "$1/cgroup.procs" && grep -qF "${1##*/}" /proc/self/cgroup', 'sh', trial]
    return spawnSync('/bin/sh', argv, { stdio: 'ignore', timeout: 5000 }).status === 0
  } catch {
    return false
  } finally {
    removeGroup(trial)
  }
}

/** All processes in a group and in the groups inside it. */
export function processesIn(group: string): readonly number[] {
  return groupsOf(group).flatMap((folder) => {
    const path = join(folder, 'cgroup.procs')
    try {
      return readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number)
    } catch (error) {
      return absentOr(path, error) ?? []
    }
  })
}

/** All at once if the kernel can, so that processes that multiply do not escape. */
export function killGroup(group: string): void {
  const path = join(group, 'cgroup.kill')
  try {
    if (existsSync(path)) return writeFileSync(path, '1')
  } catch {
    // One after the other, then.
  }
  for (const pid of processesIn(group)) signalOne(pid, 'SIGKILL')
}

/** Once nothing is in it. A group that cannot be removed costs next to nothing. */
export function removeGroup(group: string): void {
  for (const folder of groupsOf(group)) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}

/** Innermost first. */
function groupsOf(group: string): readonly string[] {
  try {
    const inner = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return [...inner.flatMap(({ name }) => groupsOf(join(group, name))), group]
  } catch (error) {
    return absentOr(group, error) ?? []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
