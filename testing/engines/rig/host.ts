import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from '../build/cache.ts'
import { RECIPES, type Engine } from '../build/recipes.ts'
import { ApiRefusal, type RigApi, type RigObject } from './api.ts'
import type { DaemonPlan } from './daemon.ts'
import type { RigPlace } from './place.ts'

/** What an engine is given to come up on. */
export interface EngineHost {
  readonly place: RigPlace
  readonly kubeconfig: string
  readonly api: RigApi
  readonly ensure: (plan: DaemonPlan) => Promise<void>
  readonly until: (what: string, isSo: () => Promise<boolean>) => Promise<void>
}

/** Installs the kinds that an engine's module brings along, in folders that begin with `crds`, and waits until all are served. */
export async function installResources(host: EngineHost, engine: Engine): Promise<void> {
  for (const recipe of RECIPES[engine]) {
    const folders = Object.keys(recipe.files ?? {}).filter((name) => name.startsWith('crds'))
    for (const folder of folders.map((name) => join(folderOf(recipe), name))) {
      for (const file of readdirSync(folder)) await host.api.applyText(readFileSync(join(folder, file), 'utf8'))
    }
  }
  await host.until(`the kinds of ${engine} are served`, () => areServed(host.api))
}

async function areServed(api: RigApi): Promise<boolean> {
  const definitions = await api.list<Definition>('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
  const wanted = definitions.flatMap(({ spec }) =>
    spec.versions
      .filter(({ served }) => served)
      .map(({ name }) => ({ path: `/apis/${spec.group}/${name}`, plural: spec.names.plural })),
  )
  for (const [path, kinds] of Map.groupBy(wanted, ({ path }) => path)) {
    const found = await api.find<{ readonly resources: readonly { readonly name: string }[] }>(path)
    const names = new Set(found?.resources.map(({ name }) => name))
    if (kinds.some(({ plural }) => !names.has(plural))) return false
  }
  return true
}

interface Definition {
  readonly spec: {
    readonly group: string
    readonly names: { readonly plural: string }
    readonly versions: readonly { readonly name: string; readonly served: boolean }[]
  }
}

/** Applies objects of kinds that have only just been installed, as soon as the server knows them. */
export async function applySoon(host: EngineHost, objects: readonly RigObject[]): Promise<void> {
  for (const object of objects) {
    let last: unknown
    const isApplied = async (): Promise<boolean> => {
      try {
        await host.api.apply(object)
        return true
      } catch (error) {
        last = error
        if (error instanceof ApiRefusal && error.status !== 404) throw error
        return false
      }
    }
    await host.until(`${object.kind} ${object.metadata.name} is accepted (${String(last)})`, isApplied)
  }
}

/** A server of an engine answers, whatever it says. */
export async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return true
  } catch {
    return false
  }
}

export function namespaceOf(name: string): RigObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
