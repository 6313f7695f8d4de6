import type { Vendor } from './gpu.ts'

/** An architecture names a set of targets. Code for one target need not run on another. */
export interface Arch {
  readonly vendor: Vendor
  readonly targets: readonly string[]
  /** What its cards are called, where the vendor gives several architectures one name. */
  readonly cards?: string
}

/**
 * Every architecture name that a manifest may use. Datacentre Blackwell (10.x) and RTX Blackwell (12.x) do not run each
 * other's binaries, so they are two architectures here, although the vendor uses one name.
 */
export const ARCHES: Readonly<Record<string, Arch>> = {
  kepler: { vendor: 'nvidia', targets: ['3.0', '3.5', '3.7'] },
  maxwell: { vendor: 'nvidia', targets: ['5.0', '5.2', '5.3'] },
  pascal: { vendor: 'nvidia', targets: ['6.0', '6.1', '6.2'] },
  volta: { vendor: 'nvidia', targets: ['7.0', '7.2'] },
  turing: { vendor: 'nvidia', targets: ['7.5'] },
  ampere: { vendor: 'nvidia', targets: ['8.0', '8.6', '8.7'] },
  ada: { vendor: 'nvidia', targets: ['8.9'] },
  hopper: { vendor: 'nvidia', targets: ['9.0'] },
  blackwell: { vendor: 'nvidia', targets: ['10.0', '10.3'], cards: 'B200, B300, GB200 and GB300' },
  'blackwell-ultra': { vendor: 'nvidia', targets: ['10.3'] },
  'blackwell-rtx': { vendor: 'nvidia', targets: ['12.0', '12.1'], cards: 'RTX PRO and RTX 50' },
  gcn5: { vendor: 'amd', targets: ['gfx900', 'gfx906'] },
  rdna1: { vendor: 'amd', targets: ['gfx1010', 'gfx1011', 'gfx1012'] },
  cdna: { vendor: 'amd', targets: ['gfx908'] },
  cdna2: { vendor: 'amd', targets: ['gfx90a'] },
  cdna3: { vendor: 'amd', targets: ['gfx942'] },
  cdna4: { vendor: 'amd', targets: ['gfx950'] },
  gaudi2: { vendor: 'intel', targets: ['gaudi2'] },
  gaudi3: { vendor: 'intel', targets: ['gaudi3'] },
  tpu: { vendor: 'google', targets: ['v2', 'v3', 'v4', 'v5e', 'v5p', 'v6e', '7x'] },
  neuron: { vendor: 'aws', targets: ['neuroncore-v1', 'neuroncore-v2', 'neuroncore-v3'] },
  qaic: { vendor: 'qualcomm', targets: ['qaic100'] },
}

/** Other ways to write an architecture; each stands for exactly one name above. */
export const ARCH_SYNONYMS: Readonly<Record<string, string>> = {
  'ada-lovelace': 'ada',
  lovelace: 'ada',
  'grace-hopper': 'hopper',
  'blackwell-datacenter': 'blackwell',
  'blackwell-datacentre': 'blackwell',
  'blackwell-consumer': 'blackwell-rtx',
  'rtx-blackwell': 'blackwell-rtx',
  vega: 'gcn5',
  rdna: 'rdna1',
  cdna1: 'cdna',
}

/** The targets of an architecture; undefined when there is no such architecture. */
export function archTargets(name: string): readonly string[] | undefined {
  return archNamed(name)?.targets
}

/** What the cards of an architecture are called; undefined where its own name says so. */
export function archCards(name: string): string | undefined {
  return archNamed(name)?.cards
}

/** The requested architecture that the vendor calls by the same name as another one, if there is any. */
export function archNamesake(name: string, requested: readonly string[]): string | undefined {
  const [family] = name.split('-', 1)
  return requested.find((other) => other.split('-', 1)[0] === family)
}

export function archVendor(name: string): Vendor | undefined {
  return archNamed(name)?.vendor
}

function archNamed(name: string): Arch | undefined {
  const key = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  const known = own(ARCH_SYNONYMS, key) ?? key
  return own(ARCHES, known)
}

/** The names come from users, and `constructor` is not an architecture. */
function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
