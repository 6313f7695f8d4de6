import { identityOf, versionOf } from '../../src/core/life/identity.ts'
import type { Placement } from '../../src/core/life/placement.ts'
import { bodyText } from '../../src/store/records.ts'
import type { RowKind } from '../../src/core/life/rows.ts'
import { partOf } from '../../src/core/life/slots.ts'
import type { Status } from '../../src/core/life/status.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import type { Manifest } from '../../src/core/manifest/manifest.ts'
import { fingerprint } from '../../src/core/offer/hash.ts'

// The way back from rows of this version to those of the last one: for tests alone, and held to the golden rows.

/** Writes rows down as the last version did. It hears of every workload before it hears of what runs of it. */
export class FirstVersion {
  /** What the last version called what this one calls otherwise. */
  readonly #names = new Map<string, string>()

  write(body: unknown, kind: RowKind): string {
    // Proven: rows of a kind have the body of that kind, unless a test has poisoned them.
    if (kind === 'workload') this.#hear((body as Workload).manifest)
    if (kind === 'placement')
      return JSON.stringify({ ...(body as Placement), shape: this.#named((body as Placement).shape) })
    if (kind !== 'status') return bodyText(body, kind)
    const { stood } = body as Status
    return JSON.stringify({ ...(body as Status), ...(stood !== undefined && { stood: this.#named(stood) }) })
  }

  /** A manifest may name things by itself, too: it is heard of wherever it is used. */
  #hear(manifest: Manifest | undefined): void {
    if (!Array.isArray(manifest?.roles) || typeof manifest.image !== 'string') return
    for (const role of rolesOf(manifest)) this.#names.set(identityOf(manifest, role), firstIdentity(manifest, role))
    this.#names.set(versionOf(manifest), firstVersionOf(manifest))
  }

  #named(text: string): string {
    return text.startsWith('1.') ? text.slice(2) : (this.#names.get(text) ?? text)
  }
}

/** What the first version wrote for what runs in a slot, by its own code. */
function firstIdentity(manifest: Manifest, role: string | undefined): string {
  const { resources, command, args, env, ports } = partOf(manifest, role)
  const { kind, image, secrets, storage, nodes, topology, checkpoint } = manifest
  const print = fingerprint()
  print.text(JSON.stringify({ kind, image, secrets, storage, nodes, topology, checkpoint }))
  const entries = Object.entries(env).toSorted(([one], [two]) => (one < two ? -1 : one > two ? 1 : 0))
  print.text(JSON.stringify({ resources, command, args, ports, env: entries }))
  return print.digest()
}

function firstVersionOf(manifest: Manifest): string {
  const print = fingerprint()
  for (const role of rolesOf(manifest)) print.text(firstIdentity(manifest, role))
  return print.digest()
}

function rolesOf({ roles }: Manifest): readonly (string | undefined)[] {
  return roles.length === 0 ? [undefined] : roles.map(({ name }) => name)
}
