import type { Manifest, Volume } from './manifest.ts'

/** Names of all secrets that a workload needs, its own and those that give access to its storage. */
export function secretsNeeded({ secrets, storage }: Pick<Manifest, 'secrets' | 'storage'>): readonly string[] {
  return [...new Set([...secrets, ...storageSecrets(storage)])]
}

/** Names of the secrets that give access to storage; a workload gets none of them. */
export function storageSecrets(storage: readonly Volume[]): readonly string[] {
  return [...new Set(storage.flatMap(({ secret }) => secret ?? []))]
}
