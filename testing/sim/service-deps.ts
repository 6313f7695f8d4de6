import { readYaml } from '../../src/formats/yaml/yaml.ts'
import { UserError } from '../../src/core/base/problem.ts'
import type { ServiceDeps } from '../../src/service/deps.ts'
import { nodeHashing } from '../../src/server/hashing.ts'
import type { Config } from '../../src/core/policy/policy.ts'
import type { Vault } from '../../src/ports/secret.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Process } from '../../src/controller/process.suite.ts'
import { manifestOf, type Wish } from './users/wishes.ts'

/** What the use cases behind the API get of a simulated process. Whatever no request of the simulation needs is not there. */
export function serviceDeps(
  process: Process,
  { store, vault, config }: { readonly store: Store; readonly vault: Vault; readonly config: () => Config },
): ServiceDeps {
  const silent = (): void => undefined
  return {
    store,
    vault: { ...vault, addKey: notHere, hasKey: notHere, useKey: notHere, rotate: notHere },
    config,
    clock: process.clock,
    timers: process.timers,
    random: process.random,
    log: { info: silent, warn: silent, error: silent },
    hashing: nodeHashing,
    // The text was made from a wish by the one who asks.
    parse: (text) => ({ manifest: manifestOf(JSON.parse(text) as Wish), warnings: [] }),
    // A wish is JSON, and so YAML.
    read: documentOf,
    decide: notHere,
    capacity: notHere,
    providers: {
      views: () => [],
      unwalled: () => [],
      kinds: () => [KIND],
      problemsOf: () => [],
      test: notHere,
      logs: notHere,
    },
    whyNot: () => undefined,
    info: notHere,
  }
}

/** The one kind of provider that an operator may add. */
const KIND = { kind: 'sim', about: 'a simulated cloud' }

function documentOf(text: string, file: string) {
  const yaml = readYaml(text, file)
  if ('problems' in yaml) throw new UserError(yaml.problems)
  return yaml.document
}

function notHere(): never {
  throw new Error('no request of the simulation asks for this')
}
