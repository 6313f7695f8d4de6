import { nearest } from '../core/document/nearest.ts'
import { UserError } from '../core/base/problem.ts'
import type { Berth } from '../ports/berth.ts'

/** The most names to compare with: one page. */
const NAMES_MAX = 500

/** The most names that a hint lists. */
const LISTED_MAX = 5

/** Adds the most likely name, or the names that there are, to `NOT_FOUND` errors. Other errors stay as they are. */
export function withMeant(berth: Berth): Berth {
  const workload = async ({ project }: { readonly project: string }) =>
    names((await berth.workloads({ project, limit: NAMES_MAX })).items)
  const provider = async () => names(await berth.providers())
  const template = async ({ project }: { readonly project: string }) => names(await berth.templates({ project }))
  return {
    ...berth,
    workload: hinting(berth.workload, workload),
    manifest: hinting(berth.manifest, workload),
    history: hinting(berth.history, workload),
    explain: hinting(berth.explain, workload),
    attempts: hinting(berth.attempts, workload),
    scale: hinting(berth.scale, workload),
    stop: hinting(berth.stop, workload),
    rerun: hinting(berth.rerun, workload),
    restart: hinting(berth.restart, workload),
    exec: hinting(berth.exec, workload),
    remove: hinting(berth.remove, workload),
    terminal: tunnelling(berth.terminal, workload),
    port: tunnelling(berth.port, workload),
    sync: tunnelling(berth.sync, workload),

    testProvider: hinting(berth.testProvider, provider),
    setProvider: hinting(berth.setProvider, provider),
    removeProvider: hinting(berth.removeProvider, provider),

    removePolicy: hinting(berth.removePolicy, async () => names(await berth.policies())),
    removeToken: hinting(berth.removeToken, async () => names(await berth.tokens())),
    removeSecret: hinting(berth.removeSecret, async ({ project }) => names(await berth.secrets({ project }))),

    template: hinting(berth.template, template),
    removeTemplate: hinting(berth.removeTemplate, template),
    render: hinting(berth.render, template, ({ template: name }) => name),
    launch: hinting(berth.launch, template, ({ template: name }) => name),
  }
}

/** The same call. When what it names does not exist, the error suggests the nearest of the known names, or lists them. */
function hinting<R extends { readonly name?: string | undefined }, T>(
  call: (request: R) => Promise<T>,
  known: (request: R) => Promise<readonly string[]>,
  nameOf: (request: R) => string | undefined = ({ name }) => name,
): (request: R) => Promise<T> {
  return async (request) => {
    try {
      return await call(request)
    } catch (error) {
      if (!(error instanceof UserError) || error.problems[0]?.code !== 'NOT_FOUND') throw error
      const name = nameOf(request) ?? ''
      // A caller who may not list the others learns nothing more.
      const others = await known(request).catch(() => [])
      const near = nearest(name, others)
      if (near === name || others.length === 0) throw error
      const told = near === undefined ? undefined : `Did you mean ${near}?`
      throw new UserError(
        error.problems.map((problem) => ({ ...problem, hint: told ?? problem.hint ?? existing(others) })),
      )
    }
  }
}

function existing(names: readonly string[]): string {
  const more = names.length - LISTED_MAX
  const listed = names.slice(0, LISTED_MAX).join(', ')
  return `These exist: ${listed}${more > 0 ? ` and ${more} more` : ''}`
}

function names(objects: readonly { readonly name: string }[]): readonly string[] {
  return objects.map(({ name }) => name)
}

/** The same for calls that open a tunnel. */
function tunnelling<R extends { readonly name: string; readonly project: string }, T>(
  call: (request: R, signal: AbortSignal) => Promise<T>,
  known: (request: R) => Promise<readonly string[]>,
): (request: R, signal: AbortSignal) => Promise<T> {
  return (request, signal) => hinting((asked: R) => call(asked, signal), known)(request)
}
