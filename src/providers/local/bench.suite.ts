import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order } from '../../core/life/call/order.ts'
import type { Log } from '../../ports/log.ts'
import { type Provider, type ProviderDeps } from '../../ports/provider.ts'
import { ownersUsed, type Bench, type Sample } from '../contract/contract.suite.ts'
import { problemText, readSettings } from '../settings.ts'
import { localKind } from './kind.ts'

/** The dependencies of a real host, with a folder that is removed after the test. */
export function realDeps(folder = mkdtempSync(join(tmpdir(), 'berth-local-'))): ProviderDeps {
  let serial = 0
  return {
    clock: { nowMs: () => Date.now(), tickMs: () => performance.now(), cpuMs: () => process.cpuUsage().user / 1000 },
    timers: { sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined) },
    random: { next: () => 0.5, id: () => `id${serial++}` },
    log: SILENT,
    folder,
    credential: async () => undefined,
  }
}

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

export async function openLocal(settings: Readonly<Record<string, unknown>>, deps: ProviderDeps): Promise<Provider> {
  const read = readSettings(localKind, settings)
  if (!read.ok) throw new Error(read.problems.map(problemText).join('\n'))
  return localKind.open('here', read.settings, deps)
}

/** A bench for a runtime of this host. `end`: a faster way to end leftovers than to stop them one by one. */
export async function localBench(
  settings: Readonly<Record<string, unknown>>,
  end: (provider: Provider) => Promise<void> = endAll,
): Promise<Bench> {
  const deps = realDeps()
  let provider = await openLocal(settings, deps)
  return {
    provider,
    async reopen() {
      await provider.close?.()
      provider = await openLocal(settings, deps)
      return provider
    },
    order: async (sample) => sampleOrder(sample, settings['runtime'] === 'process' ? 'host' : 'image'),
    pass: (ms) => sleep(ms),
    async onlookers() {
      return [...commandLines(), ...filesUnder(deps.folder)].join('\n')
    },
    async cleanup() {
      await end(provider)
      await provider.close?.()
      rmSync(deps.folder, { recursive: true, force: true })
    },
  }
}

/** Everything that a test left running, of every owner. */
export async function endAll(provider: Provider): Promise<void> {
  const call = { signal: AbortSignal.timeout(60_000), requestId: 'cleanup' }
  for (const owner of ownersUsed()) {
    const list = await provider.list(owner, call)
    for (const { tag, instance } of list.ok ? list.value.instances : []) {
      for (let tries = 0; tries < 300; tries++) {
        const stop = await provider.stop({ tag, instance }, call)
        if (stop.ok && stop.value.gone) break
        await sleep(50)
      }
    }
  }
}

/** What to run for a sample, using a base system, or the image that `buildImage` makes. */
export function sampleOrder(sample: Sample, where: 'host' | 'image' = 'host'): Omit<Order, 'tag'> {
  const command = sample.kind === 'serve' ? SERVE[where] : commandOf(sample)
  return {
    place: {
      offer: 'an-offer',
      provider: 'here',
      region: 'here',
      zone: undefined,
      instance: 'here',
      market: 'on-demand',
      node: undefined,
    },
    image: 'localhost/berth-contract:1',
    command,
    args: [],
    env: { GREETING: 'hello "world" $HOME `id`' },
    secrets: [],
    ports: sample.kind === 'serve' ? [{ name: 'http', port: 18_080, health: '/', expose: 'private' }] : [],
    storage: [],
    cpu: 0.1,
    memoryGib: 0.0625,
    diskGib: undefined,
    gpus: 0,
    usdPerHourMax: 1,
    maxDurationSeconds: undefined,
    resumeFromMs: undefined,
    nodes: 1,
  }
}

function commandOf(sample: Exclude<Sample, { readonly kind: 'serve' }>): readonly string[] {
  switch (sample.kind) {
    case 'long':
      return sh('trap "exit 0" TERM; while :; do sleep 1 & wait; done')
    case 'exit':
      return sh('exit "$1"', String(sample.code))
    case 'lines':
      return sh('n=0; while [ $n -lt "$1" ]; do n=$((n+1)); echo "line $n"; done', String(sample.lines))
    case 'secret':
      return sh('echo "TOKEN has ${#TOKEN} characters"; trap "exit 0" TERM; while :; do sleep 1 & wait; done')
    case 'bad':
      return ['/no/such/program']
  }
}

/** A base system has no server, so this very program serves; the image has busybox. */
const SERVE = {
  host: [process.execPath, '-e', 'require("http").createServer((_, a) => a.end("ok")).listen(process.env.PORT)'],
  image: sh('mkdir -p site; echo ok > site/index.html; trap "exit 0" TERM; httpd -f -p "$PORT" -h site & wait'),
}

function sh(script: string, ...args: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', script, 'sh', ...args]
}

/** Of everything that runs on this host. */
function commandLines(): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  })
}

/** What a test with containers needs and this host lacks; undefined: nothing. */
export function lackFor(programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => !hasProgram(program))
  if (!existsSync(BUSYBOX)) missing.push('busybox-static')
  return missing.length === 0 ? undefined : `needs ${missing.join(', ')}: install them to run these tests`
}

const BUSYBOX = '/bin/busybox'

function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => readFileSync(path, 'utf8'))
}

/** Keeps everything of podman in one folder, so that the host's containers and other tests are not touched. */
export function storeFlags(store: string): readonly string[] {
  const folders = ['root', 'runroot', 'tmpdir'].flatMap((name) => [`--${name}`, join(store, name)])
  return [...folders, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', '--events-backend', 'file']
}

/** An image with nothing in it but busybox, under the names that samples use. */
export function buildImage(store: string, flags: readonly string[]): void {
  const context = join(store, 'context')
  mkdirSync(context)
  copyFileSync(BUSYBOX, join(context, 'busybox'))
  const copies = ['sh', 'sleep', 'mkdir', 'httpd', 'cat', 'touch', 'stat', 'env'].map(
    (name) => `COPY busybox /bin/${name}\n`,
  )
  writeFileSync(join(context, 'Containerfile'), `FROM scratch\n${copies.join('')}ENTRYPOINT ["/bin/sh"]\n`)
  const tag = 'localhost/berth-contract:1'
  execFileSync('podman', [...flags, 'build', '--quiet', '--tag', tag, context], { stdio: 'ignore' })
}
