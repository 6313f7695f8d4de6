import { nearest } from '../core/document/nearest.ts'
import { UserError } from '../core/base/problem.ts'
import type { At, Berth } from '../ports/berth.ts'

/** The most names to compare with: one page. */
const NAMES_MAX = 500

/** Adds the most likely name to `NOT_FOUND` errors. Other errors stay as they are. */
export function withMeant(berth: Berth): Berth {
  const workloads = (at: At) => async () => {
    const { items } = await berth.workloads({ project: at.project, limit: NAMES_MAX })
    return items.map(({ name }) => name)
  }
  const ofWorkload = <T>(at: At, answer: Promise<T>) => meant(at.name, answer, workloads(at))
  const ofProvider = <T>(name: string, answer: Promise<T>) =>
    meant(name, answer, async () => names(await berth.providers()))
  const ofTemplate = <T>(at: At, answer: Promise<T>) =>
    meant(at.name, answer, async () => names(await berth.templates(at.project)))
  return {
    ...berth,
    workload: (at) => ofWorkload(at, berth.workload(at)),
    manifest: (at) => ofWorkload(at, berth.manifest(at)),
    history: (at) => ofWorkload(at, berth.history(at)),
    explain: (at) => ofWorkload(at, berth.explain(at)),
    attempts: (at) => ofWorkload(at, berth.attempts(at)),
    scale: (at, scale) => ofWorkload(at, berth.scale(at, scale)),
    stop: (at) => ofWorkload(at, berth.stop(at)),
    rerun: (at) => ofWorkload(at, berth.rerun(at)),
    exec: (at, request) => ofWorkload(at, berth.exec(at, request)),
    remove: (at) => ofWorkload(at, berth.remove(at)),

    testProvider: (name) => ofProvider(name, berth.testProvider(name)),
    setProvider: (name, state) => ofProvider(name, berth.setProvider(name, state)),
    removeProvider: (name) => ofProvider(name, berth.removeProvider(name)),

    removePolicy: (name) => meant(name, berth.removePolicy(name), async () => names(await berth.policies())),
    removeToken: (name) => meant(name, berth.removeToken(name), async () => names(await berth.tokens())),
    removeSecret: (at) => meant(at.name, berth.removeSecret(at), async () => names(await berth.secrets(at.project))),

    template: (at, version) => ofTemplate(at, berth.template(at, version)),
    removeTemplate: (at, version) => ofTemplate(at, berth.removeTemplate(at, version)),
    render: (request) => ofTemplate({ project: request.project, name: request.template }, berth.render(request)),
    launch: (request) => ofTemplate({ project: request.project, name: request.template }, berth.launch(request)),
  }
}

async function meant<T>(name: string, answer: Promise<T>, known: () => Promise<readonly string[]>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof UserError) || error.problems[0]?.code !== 'NOT_FOUND') throw error
    // A caller who may not list the others learns nothing more.
    const near = nearest(name, await known().catch(() => []))
    if (near === undefined || near === name) throw error
    throw new UserError(error.problems.map((problem) => ({ ...problem, hint: `Did you mean ${near}?` })))
  }
}

function names(objects: readonly { readonly name: string }[]): readonly string[] {
  return objects.map(({ name }) => name)
}
