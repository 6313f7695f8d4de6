import { sizeIn, cardNamed, saidOfCards } from './card.ts'
import { IN_A_MANIFEST, asScalar, atKey, numberOf, textOf, textsIn, valueIn } from './rule.ts'
import type { CouplingRule, Said, KeySite } from './rule.ts'

const TRUST: ReadonlyMap<string, string> = new Map([
  ['secure', 'secure'],
  ['secure_cloud', 'secure'],
  ['datacenter', 'secure'],
  ['community', 'community'],
  ['community_cloud', 'community'],
])

const cloudType: CouplingRule = {
  keys: 'cloud_type security hosting_type',
  read(site) {
    const trust = TRUST.get((textOf(site.value) ?? '').toLowerCase())
    if (trust === undefined) return []
    return [atKey(site, { does: 'chooses whose machines one provider uses', policy: { trust: [trust] } })]
  },
}

const cpuPerCard: CouplingRule = {
  keys: 'min_single_card_vcpu min_vcpu_per_gpu vcpus_per_gpu cpu_per_gpu cpus_per_gpu',
  read: (site) => perCard(site, 'cpu', ''),
}

const memoryPerCard: CouplingRule = {
  keys: 'min_single_card_ram_in_gb min_ram_per_gpu memory_per_gpu ram_per_gpu mem_per_gpu',
  read: (site) => perCard(site, 'memory', 'Gi'),
}

const containerDisk: CouplingRule = {
  keys: 'container_disk_in_gb container_volume_in_gb container_disk_size_gb',
  read(site) {
    const gib = numberOf(site.value)
    return gib === undefined ? [] : [atKey(site, inOtherWords('disk', `disk: ${gib}Gi`))]
  },
}

const podVolume: CouplingRule = {
  keys: 'volume_in_gb persistent_volume_in_gb',
  read(site) {
    const gib = numberOf(site.value)
    const mount = textOf(valueIn(site.parent, 'volume_mount_path persistent_mount_path')) ?? '/data'
    if (gib === undefined) return []
    return [atKey(site, inOtherWords('storage', `storage: [{ mount: ${asScalar(mount)}, size: ${gib}Gi }]`))]
  },
}

/** Volumes that exist in only one data centre of one provider. */
const networkVolume: CouplingRule = {
  keys: 'network_volume_id network_volume volume_id volume_ids',
  read(site) {
    if (textsIn(site.value).length === 0) return []
    const mount = textOf(valueIn(site.parent, 'volume_mount_path mount_path')) ?? '/data'
    const lines = [`storage: [{ mount: ${asScalar(mount)}, from: s3://BUCKET/PATH }]`]
    return [atKey(site, { does: "uses one provider's volume", lines })]
  },
}

/** IDs that exist at only one provider and that need no replacement. */
const handles: CouplingRule = {
  keys: `template_id template_name machine_id cloud_id offer_id data_center_priority gpu_type_priority shade_cloud
    container_registry_auth_id launch_template launch_template_id`,
  read: (site) =>
    site.value.kind === 'scalar' && textOf(site.value) === undefined
      ? []
      : [
          atKey(site, {
            does: 'is an ID that only one provider knows',
            advice: 'Remove it. State what the machine must have under resources, and what it runs under image.',
          }),
        ],
}

/** `8gpu-128vcpu-1600gb`: a size that is spelt out. */
const preset: CouplingRule = {
  keys: 'preset',
  read(site) {
    const [, gpus, cpu, gib] = /^(?:(\d+)gpu-)?(\d+)vcpu-(\d+)gb$/.exec(textOf(site.value) ?? '') ?? []
    if (cpu === undefined) return []
    const gpu = gpus === undefined ? {} : { gpu: { count: Number(gpus) } }
    return [
      atKey(site, { does: "names one provider's size of machine", ...gpu, lines: [`cpu: ${cpu}`, `memory: ${gib}Gi`] }),
    ]
  },
}

const platform: CouplingRule = {
  keys: 'platform',
  read(site) {
    const [, name] = /^gpu-(.+?)(?:-[a-z])?$/.exec(textOf(site.value) ?? '') ?? []
    return name === undefined ? [] : [atKey(site, saidOfCards({ cards: [cardNamed(name)] }))]
  },
}

/** APIs that rent out containers and machines by the hour: Yotta, RunPod, Vast, Nebius, Shadeform and similar. */
export const POD_RULES: readonly CouplingRule[] = [
  cloudType,
  cpuPerCard,
  memoryPerCard,
  containerDisk,
  podVolume,
  networkVolume,
  handles,
  preset,
  platform,
]

function perCard(site: KeySite, key: string, unit: string): ReturnType<CouplingRule['read']> {
  const each = numberOf(site.value) ?? sizeIn(textOf(site.value) ?? '')
  if (each === undefined) return []
  const count = numberOf(valueIn(site.parent, 'gpu_count num_gpus gpus')) ?? 1
  return [atKey(site, inOtherWords(`${key === 'cpu' ? 'CPUs' : key} for each card`, `${key}: ${each * count}${unit}`))]
}

function inOtherWords(what: string, line: string): Said {
  return { does: `asks for ${what} in another tool's words`, lead: IN_A_MANIFEST, lines: [line] }
}
