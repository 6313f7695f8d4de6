/** Objects of a cluster in a few words, for tests. */
export interface MadeNode {
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  /** Accelerator resources; the same is allocatable unless `ready` says otherwise. */
  readonly has?: Readonly<Record<string, number | string>>
  readonly ready?: Readonly<Record<string, number | string>>
  /** Conditions; Ready is True unless it is named, and there is none at all with `false`. */
  readonly conditions?: Readonly<Record<string, string>> | false
  readonly taints?: readonly string[]
  readonly spec?: Readonly<Record<string, unknown>>
  readonly info?: Readonly<Record<string, string>>
}

const ROOM = { cpu: '64', memory: '512Gi', 'ephemeral-storage': '1Ti', pods: '110' }

export function node(made: MadeNode = {}): Readonly<Record<string, unknown>> {
  const { name = 'n', labels = {}, annotations = {}, has = {}, ready = has, conditions = {}, taints = [] } = made
  const all = conditions === false ? {} : { Ready: 'True', ...conditions }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/os': 'linux', ...labels }, annotations },
    spec: { taints: taints.map(taint), ...made.spec },
    status: {
      capacity: { ...ROOM, ...has },
      allocatable: { ...ROOM, ...ready },
      conditions: Object.entries(all).map(([type, status]) => ({ type, status })),
      nodeInfo: { operatingSystem: 'linux', architecture: 'amd64', ...made.info },
    },
  }
}

/** `key=value:effect` */
function taint(text: string): Readonly<Record<string, string>> {
  const [, key = '', value, effect = 'NoSchedule'] = /^([^=:]+)(?:=([^:]*))?(?::(.+))?$/.exec(text) ?? []
  return { key, ...(value === undefined ? {} : { value }), effect }
}

/** A running pod of one container. */
export function pod(
  requests: Readonly<Record<string, number | string>>,
  { on = 'n', name = 'p', namespace = 'team', ...spec }: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    kind: 'Pod',
    metadata: { name, namespace },
    spec: { nodeName: on, containers: [{ name: 'c', resources: { requests } }], ...spec },
    status: { phase: 'Running' },
  }
}

type Value = string | number | boolean

/** A device of a slice: attributes in short, `memory`, `counters` (its counter set) and `taint` apart. */
export function device(
  name: string,
  { memory, counters, taint: effect, ...attributes }: Readonly<Record<string, Value>> = {},
): Readonly<Record<string, unknown>> {
  return {
    name,
    attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, valueOf(key, value)])),
    ...(memory === undefined ? {} : { capacity: { memory: { value: memory } } }),
    ...(counters === undefined ? {} : { consumesCounters: [{ counterSet: counters, counters: {} }] }),
    ...(effect === undefined ? {} : { taints: [{ key: 'sick', effect }] }),
  }
}

function valueOf(key: string, value: Value): Readonly<Record<string, Value>> {
  if (typeof value === 'number') return { int: value }
  if (typeof value === 'boolean') return { bool: value }
  return /version|capability/i.test(key) ? { version: value } : { string: value }
}

export function slice(
  devices: readonly unknown[],
  { driver = 'gpu.nvidia.com', on = 'n', version = 'v1', pool = {} }: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    apiVersion: `resource.k8s.io/${String(version)}`,
    kind: 'ResourceSlice',
    metadata: { name: `${String(on)}-${String(driver)}` },
    spec: {
      driver,
      nodeName: on,
      pool: { name: on, generation: 1, resourceSliceCount: 1, ...(typeof pool === 'object' ? pool : {}) },
      devices: version === 'v1beta1' ? devices.map(basic) : devices,
    },
  }
}

/** v1beta1 has the facts of a device one level further down. */
function basic(made: unknown): unknown {
  const { name, ...facts } = typeof made === 'object' && made !== null && 'name' in made ? made : { name: undefined }
  return { name, basic: facts }
}

/** A claim that has been given devices of the pool of its node. */
export function claim(devices: readonly string[], { on = 'n', driver = 'gpu.nvidia.com', name = 'c' } = {}): unknown {
  return {
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'team' },
    status: { allocation: { devices: { results: devices.map((each) => ({ driver, pool: on, device: each })) } } },
  }
}
