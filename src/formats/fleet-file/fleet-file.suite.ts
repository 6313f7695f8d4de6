import type { FleetNode, Tenant } from '../../core/fleet/fleet.ts'
import { readFleetFile, type FleetFile } from './fleet-file.ts'

export const HEAD = 'berth: v1\nkind: fleet\n'

/** The fleet of a file without its head, or a failed test. */
export function fleetOf(text: string): FleetFile {
  const read = readFleetFile(HEAD + text, 'fleet.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems, undefined, 2))
  return read
}

/** The only node of a file. */
export function nodeOf(keys: string): FleetNode {
  const [node] = fleetOf(`nodes: [{ name: n, cpu: 8, memory: 64Gi, ${keys} }]`).fleet.nodes
  if (node === undefined) throw new Error('no node')
  return node
}

/** What runs on a node `n` with eight processors, 64Gi and these cards. */
export function tenantsOn(gpu: string, tenants: readonly string[]): readonly Tenant[] {
  return fleetOf(withTenants(gpu, tenants)).tenants
}

/** A file with one node and what runs on it; the first tenant is on line 5. */
export function withTenants(gpu: string, tenants: readonly string[]): string {
  const node = `nodes: [{ name: n, cpu: 8, memory: 64Gi, gpu: { ${gpu} } }]`
  const running = tenants.map((tenant) => `  - { node: n, cpu: 1, memory: 1Gi, ${tenant} }`)
  return [node, 'running:', ...running].join('\n')
}

/** Problems as `line:column CODE found | message | hint`. */
export function problemsOf(text: string): readonly string[] {
  const read = readFleetFile(HEAD + text, 'fleet.yaml')
  return 'problems' in read ? read.problems.map(lineOf) : []
}

/** Warnings in the same words. */
export function warningsOf(text: string): readonly string[] {
  return fleetOf(text).warnings.map(lineOf)
}

function lineOf({ code, place, found, message, hint }: FleetFile['warnings'][number]): string {
  const at = `${place?.line}:${place?.column} ${code}${found === undefined ? '' : ` ${found}`}`
  return [at, message, hint].filter((part) => part !== undefined).join(' | ')
}
