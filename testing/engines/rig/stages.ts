import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { NODE_IP } from './namespace.ts'

/** A pod that bears it ends with this exit code. */
export const EXIT_CODE = 'berth.test/exit-code'
/** Says why it ended, beside the exit code: OOMKilled. */
export const EXIT_REASON = 'berth.test/exit-reason'
/** An image that fake nodes cannot pull. */
export const MISSING_IMAGE = 'registry.test/missing:1'

/** What KWOK does with fake nodes and pods, written as it wants it: the stages of its own module, changed. */
export function stagesOf(folder: string): string {
  const stages = ['node-fast', 'node-heartbeat', 'pod-fast'].flatMap((name) => stagesIn(join(folder, name)))
  const changed = stages.map((stage) => CHANGES[stage.metadata.name]?.(stage) ?? stage)
  const heads = changed.filter(({ metadata }) => metadata.name === 'pod-ready').map(rayHead)
  return [...changed, ...heads, PULL_FAILS, ENDS, RESERVATION].map((stage) => stringify(stage)).join('---\n')
}

interface Stage {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly resourceRef: { readonly apiGroup: string; readonly kind: string }
    readonly selector: { readonly matchExpressions: readonly Condition[] }
    readonly weight?: number
    readonly next: {
      readonly statusTemplate?: string
      readonly patches?: readonly { readonly root: string; readonly type: string; readonly template: string }[]
    }
  }
}

interface Condition {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values?: readonly string[]
}

const NOT_DELETED: Condition = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' }
const DELETED: Condition = { key: '.metadata.deletionTimestamp', operator: 'Exists' }
const OVER: Condition = { key: '.status.phase', operator: 'In', values: ['Succeeded', 'Failed'] }
const PENDING: Condition = { key: '.status.phase', operator: 'In', values: ['Pending'] }
const IMAGE = '.spec.containers.[].image'
const POD = { apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'Stage' }

/** Its own ends every pod of a Job at once, with 0, and pulls every image. */
const CHANGES: Readonly<Record<string, (stage: Stage) => Stage>> = {
  'pod-complete': (stage) =>
    changed(stage, {
      conditions: stage.spec.selector.matchExpressions
        .filter(({ key }) => !key.includes('ownerReferences'))
        .concat({ key: `.metadata.annotations["${EXIT_CODE}"]`, operator: 'Exists' }),
      template: (text) =>
        replaced(text, {
          'exitCode: 0': `exitCode: ${annotation(EXIT_CODE)}`,
          'reason: Completed': `reason: {{ or ${plain(EXIT_REASON)} ( ${ifZero('Completed', 'Error')} ) }}`,
          'phase: Succeeded': `phase: {{ ${ifZero('Succeeded', 'Failed')} }}`,
        }),
    }),
  'pod-ready': (stage) =>
    changed(stage, {
      conditions: [...stage.spec.selector.matchExpressions, { key: IMAGE, operator: 'NotIn', values: [MISSING_IMAGE] }],
      template: (text) => text,
    }),
  'pod-delete': (stage) => ({ ...stage, spec: { ...stage.spec, selector: { matchExpressions: [DELETED, OVER] } } }),
}

/**
 * A kubelet says how a deleted pod has ended before it lets it go. What others hold on to, as by a finalizer, is known to be over by
 * that alone: its claims are freed.
 */
const ENDS: Stage = {
  ...POD,
  metadata: { name: 'pod-ends' },
  spec: {
    resourceRef: { apiGroup: 'v1', kind: 'Pod' },
    selector: { matchExpressions: [DELETED, { ...OVER, operator: 'NotIn' }] },
    next: {
      statusTemplate: `{{ $now := Now }}
{{ if eq .status.phase "Running" }}
containerStatuses:
{{ range .spec.containers }}
- image: {{ .image | Quote }}
  name: {{ .name | Quote }}
  ready: false
  restartCount: 0
  started: false
  state:
    terminated:
      exitCode: 143
      finishedAt: {{ $now | Quote }}
      reason: Error
      startedAt: {{ $now | Quote }}
{{ end }}
{{ end }}
phase: Failed
`,
    },
  },
}

/** What a kubelet says of an image that is not there. */
const PULL_FAILS: Stage = {
  ...POD,
  metadata: { name: 'pod-pull-fails' },
  spec: {
    resourceRef: { apiGroup: 'v1', kind: 'Pod' },
    selector: {
      matchExpressions: [
        NOT_DELETED,
        PENDING,
        { key: IMAGE, operator: 'In', values: [MISSING_IMAGE] },
        { key: '.status.containerStatuses.[].state.waiting.reason', operator: 'NotIn', values: ['ImagePullBackOff'] },
      ],
    },
    next: {
      statusTemplate: `containerStatuses:
{{ range .spec.containers }}
- image: {{ .image | Quote }}
  imageID: ""
  name: {{ .name | Quote }}
  ready: false
  restartCount: 0
  started: false
  state:
    waiting:
      reason: ImagePullBackOff
      message: {{ printf "Back-off pulling image %q: not found" .image | Quote }}
{{ end }}
phase: Pending
`,
    },
  },
}

/** KAI keeps a shared card by a pod that is to say which card it got: nothing real runs here, so it is always the first. */
const RESERVATION: Stage = {
  ...POD,
  metadata: { name: 'kai-reservation' },
  spec: {
    resourceRef: { apiGroup: 'v1', kind: 'Pod' },
    selector: {
      matchExpressions: [
        NOT_DELETED,
        { key: '.metadata.namespace', operator: 'In', values: ['kai-resource-reservation'] },
        { key: '.metadata.annotations["run.ai/reserve_for_gpu_index"]', operator: 'DoesNotExist' },
      ],
    },
    weight: 1_000_000,
    next: {
      patches: [{ root: 'metadata', type: 'merge', template: 'annotations:\n  run.ai/reserve_for_gpu_index: "0"\n' }],
    },
  },
}

/** The heads of Ray clusters are where a real one listens, if a test has started one: Ray's own API answers for them. */
function rayHead(stage: Stage): Stage {
  const isHead: Condition = { key: '.metadata.labels["ray.io/node-type"]', operator: 'In', values: ['head'] }
  const own = `podIP: "${NODE_IP}"\npodIPs:\n- ip: "${NODE_IP}"`
  const ready = changed(stage, {
    conditions: [...stage.spec.selector.matchExpressions, isHead],
    template: (text) => {
      const [before, after] = text.split(/\{\{ \$podIPs :=[^]*?\{\{ end \}\}\s*\{\{ end \}\}/)
      if (before === undefined || after === undefined) throw new Error('the stage of KWOK has no $podIPs')
      return `${before}${own}${after}`
    },
  })
  return { ...ready, metadata: { name: 'ray-head-ready' }, spec: { ...ready.spec, weight: 1_000_000 } }
}

interface Change {
  readonly conditions: readonly Condition[]
  readonly template: (text: string) => string
}

function changed(stage: Stage, { conditions, template }: Change): Stage {
  const statusTemplate = template(stage.spec.next.statusTemplate ?? '')
  return { ...stage, spec: { ...stage.spec, selector: { matchExpressions: conditions }, next: { statusTemplate } } }
}

/** Fails if a part is not there: the module has changed, and so must this. */
function replaced(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [from, into]) => {
    if (!text.includes(from)) throw new Error(`the stage of KWOK has no "${from}"`)
    return text.replace(from, into)
  }, text)
}

function plain(name: string): string {
  return `( index $root.metadata.annotations "${name}" )`
}

function annotation(name: string): string {
  return `{{ ${plain(name)} }}`
}

function ifZero(yes: string, no: string): string {
  return `eq ${plain(EXIT_CODE)} "0" | ternary "${yes}" "${no}"`
}

function stagesIn(folder: string): readonly Stage[] {
  return readdirSync(folder)
    .filter((name) => name !== 'kustomization.yaml')
    .toSorted()
    .map((name): Stage => parse(readFileSync(join(folder, name), 'utf8')))
}
