import type { DocEntry, Path, SourceDocument } from '../../document/document.ts'
import { entryAt, nodeAt } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'
import { serveTarget } from '../serve-command.ts'
import { listAt, numberOf, problemAt, problemWith, scopesOf, textOf, textsOf } from './rule.ts'
import type { ManifestRule } from './rule.ts'

type Kind = 'service' | 'job'

/** Keys that a kind does not have, each with what to do instead. */
const FOREIGN: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  service: {
    nodes: 'A service has replicas: write replicas instead, or framework: ray if each is a Ray cluster, or kind: job.',
    topology: 'Remove it, or write kind: job.',
    checkpoint: 'Remove it, or write kind: job.',
    max_duration: 'A service runs until it is stopped. Remove it, or write kind: job.',
    completions: 'A service never completes. Remove it, or write kind: job.',
  },
  job: {
    replicas: 'Write nodes for machines that work together, completions for repeated runs, or kind: service.',
    spread: 'Remove it, or write kind: service.',
  },
}

/** Keys of a service each of whose replicas is a cluster of a framework. */
const OF_CLUSTERS: ReadonlySet<string> = new Set(['nodes', 'topology'])

/** Keys that only the other kind of workload has. */
export const foreignKeys: ManifestRule = (document) => {
  const kind = kindOf(document)
  if (kind === undefined) return []
  const isCluster = entryAt(document, ['framework']) !== undefined
  const keys = Object.entries(FOREIGN[kind]).flatMap(([key, hint]) => {
    const entry = entryAt(document, [key])
    return entry === undefined || (isCluster && OF_CLUSTERS.has(key))
      ? []
      : [foreignKey(document, entry, { kind, hint })]
  })
  return kind === 'job' ? [...keys, ...healthOfJobs(document)] : [...keys, ...restartWithoutHealth(document)]
}

/** Only a health path says that something is unhealthy. */
function restartWithoutHealth(document: SourceDocument): readonly Problem[] {
  const entry = entryAt(document, ['restart', 'on_unhealthy'])
  const isAsked = scopesOf(document).some((scope) =>
    (listAt(document, [...scope, 'ports'])?.items ?? []).some(
      (_, index) => entryAt(document, [...scope, 'ports', index, 'health']) !== undefined,
    ),
  )
  if (entry === undefined || isAsked) return []
  const message = '`restart.on_unhealthy` needs a port with a health path.'
  const hint = 'Add health: /health to the port that answers there, or remove on_unhealthy.'
  return [problemAt(document, entry.keyAt, { code: 'KEY_NEEDS', message, hint, found: entry.key })]
}

/** Jobs serve no requests, so nothing checks the health of their ports. */
function healthOfJobs(document: SourceDocument): readonly Problem[] {
  const restart = entryAt(document, ['restart', 'on_unhealthy'])
  const kind = { kind: 'job', hint: 'Remove it, or write kind: service.' } as const
  const sick = restart === undefined ? [] : [foreignKey(document, restart, kind)]
  const ports = scopesOf(document).flatMap((scope) =>
    (listAt(document, [...scope, 'ports'])?.items ?? []).flatMap((_, index) => {
      const entry = entryAt(document, [...scope, 'ports', index, 'health'])
      return entry === undefined ? [] : [foreignKey(document, entry, kind)]
    }),
  )
  return [...sick, ...ports]
}

function foreignKey(document: SourceDocument, entry: DocEntry, { kind, hint }: { kind: Kind; hint: string }): Problem {
  const message = `A ${kind} has no \`${entry.key}\`.`
  return problemAt(document, entry.keyAt, { code: 'KEY_WRONG_KIND', message, hint, found: entry.key })
}

/** Services are restarted without limit; work that must not be restarted is a job. */
export const trainingService: ManifestRule = (document) => {
  const node = nodeAt(document, ['restart', 'class'])
  if (node === undefined || textOf(node) !== 'training' || kindOf(document) !== 'service') return []
  const message = 'A service cannot have the restart class training.'
  return [
    problemWith(document, node, { code: 'VALUE_CONFLICT', message, hint: 'Write class: inference, or kind: job.' }),
  ]
}

/** A single machine has no topology. */
export const topologyOfOne: ManifestRule = (document) => {
  const entry = entryAt(document, ['topology'])
  const hasNodes = kindOf(document) !== 'service' || entryAt(document, ['framework']) !== undefined
  if (entry === undefined || !hasNodes) return []
  const nodes = nodeAt(document, ['nodes'])
  if (nodes !== undefined && numberOf(nodes) !== 1) return []
  const message = '`topology` needs more than one node.'
  return [
    problemAt(document, entry.keyAt, {
      code: 'KEY_NEEDS',
      message,
      hint: 'Add nodes: 2, or remove topology.',
      found: 'topology',
    }),
  ]
}

/** The pods of a framework are made by its own controller, beside which no courier runs. */
export const frameworkWithoutData: ManifestRule = (document) => {
  const volumes = entryAt(document, ['framework']) === undefined ? [] : (listAt(document, ['storage'])?.items ?? [])
  return volumes.flatMap((_, index): readonly Problem[] => {
    const entry = entryAt(document, ['storage', index, 'from'])
    if (entry === undefined) return []
    const message = 'Work of a framework cannot have data from object stores yet.'
    const hint = 'Read it in the program, with its access under secrets, or remove framework.'
    return [problemAt(document, entry.keyAt, { code: 'VALUE_CONFLICT', message, hint, found: entry.key })]
  })
}

/** A framework is told what to run: it never starts the program of the image. */
export const frameworkWithoutCommand: ManifestRule = (document) => {
  const entry = entryAt(document, ['framework'])
  if (entry === undefined) return []
  const [whole = [], ...roles] = scopesOf(document)
  const isStated = (scope: Path): boolean => entryAt(document, [...scope, 'command']) !== undefined
  if (isStated(whole) || (roles.length > 0 && roles.every(isStated))) return []
  const example =
    kindOf(document) === 'service'
      ? 'that starts Ray Serve: command: [serve, run, MODULE:APP].'
      : 'that runs on the first node, such as command: [python, train.py].'
  const hint = `Add the command ${example}`
  const message = '`framework` needs a command.'
  return [problemAt(document, entry.keyAt, { code: 'KEY_NEEDS', message, hint, found: 'framework' })]
}

/** What a service runs with Ray is an application of Ray Serve, and only this form of its command can be handed over. */
export const frameworkWithoutServe: ManifestRule = (document) => {
  if (entryAt(document, ['framework']) === undefined || kindOf(document) !== 'service') return []
  const [whole = [], ...roles] = scopesOf(document)
  const stated = (scope: Path, key: string): Path => {
    const own = [...scope, key]
    return entryAt(document, own) === undefined ? [...whole, key] : own
  }
  return (roles.length === 0 ? [whole] : roles).flatMap((scope): readonly Problem[] => {
    const command = nodeAt(document, stated(scope, 'command'))
    const args = nodeAt(document, stated(scope, 'args'))
    if (command?.kind !== 'list' || serveTarget([...textsOf(command), ...textsOf(args)]) !== undefined) return []
    const message = 'A service with `framework: ray` starts Ray Serve by its command.'
    const hint =
      'Write command: [serve, run, MODULE:APP], and after it --route-prefix PATH or KEY=VALUE if need be; or remove framework, and any command runs as it is.'
    return [problemWith(document, command, { code: 'VALUE_CONFLICT', message, hint })]
  })
}

function kindOf(document: SourceDocument): Kind | undefined {
  const kind = textOf(nodeAt(document, ['kind']))
  return kind === 'service' || kind === 'job' ? kind : undefined
}
