import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzzCase } from './manifests.ts'
import { printYaml } from './print.ts'
import { randomOf } from './random.ts'
import { validManifest } from './valid.ts'
import { readYaml } from '../../src/formats/yaml/yaml.ts'
import { cases } from '../../src/core/base/laws.suite.ts'
import { printCpu, printMemory, printSeconds } from '../../src/core/base/units.ts'
import { printShare } from '../../src/core/base/units.suite.ts'
import type { GpuRequest } from '../../src/core/requirement/table.ts'
import type { Manifest, Replicas, Reserve, Resources } from '../../src/core/manifest/manifest.ts'
import { parseManifest, type ParsedManifest } from '../../src/core/manifest/parse.ts'

const RUNS = cases(1000)
const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 })

function parse(text: string | Uint8Array): ParsedManifest {
  const read = readYaml(text, 'f.yaml')
  return 'problems' in read ? read : parseManifest(read.document)
}

function manifestOf(text: string): Manifest {
  const parsed = parse(text)
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return parsed.manifest
}

test('the same text always gives the same answer', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { input } = fuzzCase(seed)
      expect(parse(input)).toEqual(parse(input))
    }),
    RUNS,
  )
})

test('how a manifest is laid out changes nothing', () => {
  fc.assert(
    fc.property(seeds, seeds, (seed, style) => {
      const data = validManifest(randomOf(seed))
      const manifest = manifestOf(printYaml(data, randomOf(seed)))
      expect(manifestOf(printYaml(data, randomOf(style)))).toEqual(manifest)
      // Numbers such as 9.0 lose their zero in JSON, so only texts are compared there.
      expect(parse(JSON.stringify(data))).toHaveProperty('manifest')
    }),
    RUNS,
  )
})

test('a manifest written out again is read as the same manifest', () => {
  fc.assert(
    fc.property(seeds, seeds, (seed, style) => {
      const manifest = manifestOf(printYaml(validManifest(randomOf(seed)), randomOf(seed)))
      expect(manifestOf(JSON.stringify(fileOf(manifest)))).toEqual(manifest)
      expect(manifestOf(printYaml(fileOf(manifest), randomOf(style)))).toEqual(manifest)
    }),
    RUNS,
  )
})

test('a key that nobody reads is always reported on its line', () => {
  const key = fc.stringMatching(/^[a-z_]{1,14}$/).map((word) => `q${word}`)
  fc.assert(
    fc.property(seeds, key, (seed, unknown) => {
      const text = `${unknown}: 1\n${printYaml(validManifest(randomOf(seed)), randomOf(seed))}`
      const parsed = parse(text)
      const codes =
        'problems' in parsed ? parsed.problems.filter(({ place }) => place?.line === 1).map(({ code }) => code) : []
      expect(codes).toHaveLength(1)
      expect(['KEY_UNKNOWN', 'KEY_MISPLACED', 'MANIFEST_COUPLED']).toContain(codes[0])
    }),
    RUNS,
  )
})

type File = Parameters<typeof printYaml>[0] & object

/** The keys of a manifest file again, with nothing left out that was filled in. */
function fileOf(manifest: Manifest): File {
  const { kind, name, image, command, args, env, secrets, policy, migration, restart } = manifest
  const isJob = kind === 'job'
  return defined({
    berth: 'v1',
    kind,
    name,
    image,
    command,
    args,
    env,
    secrets,
    policy,
    ports: manifest.ports.map((port) => defined({ ...port })),
    storage: manifest.storage.map(({ sizeGib, ...rest }) => defined({ ...rest, size: written(sizeGib, printMemory) })),
    resources: resourcesFile(manifest.resources),
    restart: defined({ class: restart.class, max: restart.max }),
    migration: defined({ on: migration.on, price_drop: written(migration.priceDrop, printShare) }),
    replicas: isJob ? undefined : replicasFile(manifest.replicas),
    spread: isJob ? undefined : manifest.spread,
    nodes: isJob ? manifest.nodes : undefined,
    completions: isJob ? manifest.completions : undefined,
    topology: manifest.topology && { within: manifest.topology },
    checkpoint: manifest.checkpoint && {
      path: manifest.checkpoint.path,
      every: printSeconds(manifest.checkpoint.everySeconds),
    },
    max_duration: written(manifest.maxDurationSeconds, printSeconds),
    roles: Object.fromEntries(
      manifest.roles.map(({ name: role, resources, replicas, reserve, ports, ...rest }) => [
        role,
        defined({
          ...rest,
          ports: ports.map((port) => defined({ ...port })),
          resources: resourcesFile(resources),
          replicas: replicasFile(replicas),
          reserve: reserve && reserveFile(reserve),
        }),
      ]),
    ),
  })
}

function resourcesFile({ cpu, memoryGib, diskGib, hostArch, gpu }: Resources): File {
  return defined({
    cpu: written(cpu, printCpu),
    memory: written(memoryGib, printMemory),
    disk: written(diskGib, printMemory),
    host_arch: hostArch,
    gpu: gpu && gpuFile(gpu),
  })
}

function gpuFile(gpu: GpuRequest): File {
  return defined({
    count: gpu.count,
    vendor: gpu.vendors,
    min_vram: written(gpu.vramGibMin, printMemory),
    min_usable_vram: written(gpu.usableGibMin, printMemory),
    min_bandwidth: written(gpu.memoryGbpsMin, (gbps) => `${gbps}GB/s`),
    min_tflops: gpu.tflopsMin,
    arch: gpu.arch.length === 0 ? undefined : gpu.arch,
    min_compute_capability: gpu.computeCapabilityMin,
    min_driver: gpu.driverMin,
    min_cuda: gpu.cudaMin,
    interconnect: gpu.interconnect,
    sharing: gpu.sharing,
  })
}

function replicasFile({ min, max, target }: Replicas): File {
  return defined({ min, max, target: target && { [target.metric]: target.value } })
}

function reserveFile(reserve: Reserve): string | number {
  return reserve.kind === 'count' ? reserve.count : printShare(reserve.share)
}

function written(value: number | undefined, print: (value: number) => string): string | undefined {
  return value === undefined ? undefined : print(value)
}

function defined(data: Readonly<Record<string, unknown>>): File {
  // Everything put in here is data that a file can hold, or undefined.
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as File
}
