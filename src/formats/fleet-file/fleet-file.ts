import { checkUncut } from '../../core/document/check.ts'
import type { SourceDocument } from '../../core/document/document.ts'
import { inOrder } from '../../core/document/in-order.ts'
import { sourced } from '../../core/document/look-up.ts'
import type { Fleet, Tenant } from '../../core/fleet/fleet.ts'
import type { HostFacts } from '../../core/fleet/owned-fleet.ts'
import type { Problem, SourcedProblem } from '../../core/base/problem.ts'
import { readNodes } from './nodes.ts'
import { isNodeList, readNodeList } from './openb.ts'
import type { Complaints } from './problems.ts'
import { fleetSchema, type FleetFileText, type NodeText } from './schema.ts'
import { readTenants } from './tenants.ts'
import { readYaml } from '../yaml/yaml.ts'

/** A fleet as its file describes it, and what runs in it. docs/fleet.md describes the format. */
export interface FleetFile {
  readonly fleet: Fleet
  readonly tenants: readonly Tenant[]
  /** What else is known about the nodes, in their order; left out when nothing is. */
  readonly hosts?: readonly HostFacts[]
  /** Warnings: a tenant on a failing card, cards that had to be assumed. */
  readonly warnings: readonly SourcedProblem[]
}

export type FleetFileRead = FleetFile | { readonly problems: readonly SourcedProblem[] }

/** Reads a fleet written in YAML or JSON, or an openb node list. A file with mistakes is refused, with all of them. */
export function readFleetFile(input: string | Uint8Array, file: string): FleetFileRead {
  const text = typeof input === 'string' ? input : new TextDecoder().decode(input)
  if (isNodeList(text) || file.endsWith('.csv')) {
    const list = readNodeList(text, file)
    const lines = text.split(/\r?\n/)
    return 'problems' in list ? { problems: sourced(inOrder(list.problems), { lines }) } : { ...list, ...NOTHING_RUNS }
  }
  const yaml = readYaml(input, file)
  return 'problems' in yaml ? yaml : readDocument(yaml.document)
}

const NOTHING_RUNS = { tenants: [], warnings: [] } as const

function readDocument(document: SourceDocument): FleetFileRead {
  const problems: Problem[] = []
  const complaints: Complaints = { document, problems }
  const checked = checkUncut(fleetSchema, document)
  if ('problems' in checked) return { problems: sourced(inOrder(checked.problems), document) }
  const nodes = readNodes(checked.value, complaints)
  // Tenants are not checked when nodes are wrong, because each of them would look wrong too.
  if (problems.length > 0) return { problems: sourced(inOrder(problems), document) }
  const { tenants, warnings } = readTenants(checked.value.running ?? [], nodes, complaints)
  if (problems.length > 0) return { problems: sourced(inOrder(problems), document) }
  return { fleet: { nodes }, tenants, hosts: hostsOf(checked.value), warnings: sourced(inOrder(warnings), document) }
}

function hostsOf({ nodes }: FleetFileText): readonly HostFacts[] {
  return nodes.flatMap((text) => {
    const host = hostOf(text)
    return Array.from({ length: text.name.count }, () => host)
  })
}

function hostOf({ host_arch: hostArch, driver, cuda, inbound, volume }: NodeText): HostFacts {
  return { hostArch, driver, cuda, inbound, volumeGib: volume }
}
