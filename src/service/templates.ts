import { refuse } from '../core/base/refuse.ts'
import type { TemplateRow } from '../core/life/rows.ts'
import { UserError } from '../core/base/problem.ts'
import { checkTemplate, launchTemplate } from '../core/template/launch.ts'
import { readTemplate } from '../core/template/template.ts'
import type { Parsed } from '../api/call.ts'
import type { Applied, At, Rendered, TemplateView } from '../ports/berth.ts'
import type { Row, Store } from '../ports/store.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { everyRow, someOf, trail } from './platform-rows.ts'
import { changeOnce } from './requests.ts'
import { applyManifest } from './workload/workloads.ts'
import type { Terms } from './workload/workloads.ts'

/** The highest version number that fits in the six digits of the key. */
const VERSION_MAX = 999_999
const REMOVED_AT_ONCE = 500

/** The newest version of every template, sorted by name. */
export async function listTemplates({ store }: ServiceDeps, project: string): Promise<readonly TemplateView[]> {
  const views: TemplateView[] = []
  for (let after = `${project}/`; ;) {
    const [first] = await store.list('template', { prefix: `${project}/`, after, limit: 1 })
    if (first === undefined) break
    const name = nameOf(first)
    const newest = (await newestOf(store, { project, name })) ?? first
    views.push(viewOf(name, newest.body))
    after = versionKey({ project, name }, VERSION_MAX)
  }
  return views.toSorted((one, two) => (one.name < two.name ? -1 : 1))
}

/** One version of a template. Version undefined: the newest. */
export async function getTemplate({ store }: ServiceDeps, at: At, version: number | undefined): Promise<TemplateView> {
  return viewOf(at.name, (await mustGet(store, at, version)).body)
}

/** Adds a version, unless the newest has the same text. Numbers are never reused, even after a removal. */
export async function pushTemplate(
  deps: ServiceDeps,
  actor: Principal,
  { at, text }: { readonly at: At; readonly text: string },
): Promise<TemplateView> {
  const checked = checkTemplate(deps.read(text, `template ${at.name}`))
  if ('problems' in checked) throw new UserError(checked.problems)
  const { parameters } = checked.template
  return changeOnce(deps, undefined, async () => {
    const [newest, counter] = await Promise.all([newestOf(deps.store, at), deps.store.get('setting', counterKey(at))])
    if (newest?.body.text === text) return { answer: viewOf(at.name, newest.body), commit: { writes: [] } }
    const version = Math.max(Number(counter?.body.value ?? 0), newest?.body.version ?? 0) + 1
    if (version > VERSION_MAX)
      throw refuse('VALUE_RANGE', `The template ${at.name} has no version numbers left.`, 'Use another name.')
    const body: TemplateRow = { version, text, parameters, createdMs: deps.clock.nowMs(), createdBy: actor.name }
    const subject = `template/${at.name}` as const
    const kind = 'template-pushed'
    const done = { project: at.project, subject, action: 'template.push', kind, facts: { version } } as const
    const writes = [
      { kind: 'template' as const, key: versionKey(at, version), version: 0, body },
      // Of two simultaneous pushes, one conflicts on this counter and tries again.
      {
        kind: 'setting' as const,
        key: counterKey(at),
        version: counter?.version ?? 0,
        body: { value: String(version) },
      },
    ]
    return { answer: viewOf(at.name, body), commit: { writes, ...trail(deps, actor, done) } }
  })
}

/** Removes one version, or all. Workloads launched from it keep running: they have their own manifest. */
export async function removeTemplate(
  deps: ServiceDeps,
  actor: Principal,
  { at, version }: { readonly at: At; readonly version: number | undefined },
): Promise<void> {
  await mustGet(deps.store, at, version)
  for (let left = true; left;) {
    left = await changeOnce(deps, undefined, async () => {
      const rows = version === undefined ? await someVersions(deps.store, at) : [await mustGet(deps.store, at, version)]
      if (rows.length === 0) return { answer: false, commit: { writes: [] } }
      const facts = {
        versions: rows
          .map((row) => row.body.version)
          .join(' ')
          .slice(0, 1000),
      }
      const subject = `template/${at.name}` as const
      const done = { project: at.project, subject, action: 'template.remove', kind: 'template-removed', facts } as const
      const writes = rows.map((row) => ({
        kind: 'template' as const,
        key: row.key,
        version: row.version,
        body: undefined,
      }))
      const isLast = version !== undefined || rows.length < REMOVED_AT_ONCE
      return { answer: !isLast, commit: { writes, ...trail(deps, actor, done) } }
    })
  }
}

export type LaunchAsk = Parsed<'launch'> & Terms

/** Applies the manifest of a template; the workload keeps the version it came from. */
export async function launch(deps: ServiceDeps, actor: Principal, ask: LaunchAsk): Promise<Applied> {
  const { project, agreed, once, ifTag } = ask
  const { text, file, version } = await render(deps, ask)
  const template = { name: ask.template, version }
  return applyManifest(deps, actor, { project, text, file, pinned: undefined, agreed, template, once, ifTag })
}

/** The manifest of a template with these values, and the version it was made from. */
export async function render(
  deps: ServiceDeps,
  { project, set, name, ...ask }: Omit<LaunchAsk, keyof Terms>,
): Promise<Rendered> {
  const { body } = await mustGet(deps.store, { project, name: ask.template }, ask.version)
  const file = `template ${ask.template}@${body.version}`
  const read = readTemplate(deps.read(body.text, file))
  if ('problems' in read) throw new UserError(read.problems)
  const launched = launchTemplate(read.template, { set, name })
  if ('problems' in launched) throw new UserError(launched.problems)
  return { name: launched.manifest.name, version: body.version, text: launched.text, file }
}

async function mustGet(store: Store, at: At, version: number | undefined): Promise<Row<'template'>> {
  const row = version === undefined ? await newestOf(store, at) : await versionOf(store, at, version)
  if (row !== undefined) return row
  const newest = await newestOf(store, at)
  if (newest === undefined) {
    const names = await namesOf(store, at.project)
    const known = names.length === 0 ? 'has no templates' : `has these templates: ${someOf(names)}`
    throw refuse('NOT_FOUND', `There is no template ${at.name} in project ${at.project}.`, `The project ${known}.`)
  }
  const hint = `The newest version is ${newest.body.version}.`
  throw refuse('NOT_FOUND', `The template ${at.name} has no version ${version}.`, hint)
}

async function versionOf(store: Store, at: At, version: number): Promise<Row<'template'> | undefined> {
  return Number.isInteger(version) && version >= 1 && version <= VERSION_MAX
    ? store.get('template', versionKey(at, version))
    : undefined
}

/** The newest version, found by the counter unless that version was removed. */
async function newestOf(store: Store, at: At): Promise<Row<'template'> | undefined> {
  const counter = await store.get('setting', counterKey(at))
  if (counter === undefined) return undefined
  const last = await versionOf(store, at, Number(counter.body.value))
  return last ?? (await everyRow(store, 'template', `${at.project}/${at.name}/`)).at(-1)
}

async function someVersions(store: Store, at: At): Promise<readonly Row<'template'>[]> {
  return store.list('template', { prefix: `${at.project}/${at.name}/`, limit: REMOVED_AT_ONCE })
}

async function namesOf(store: Store, project: string): Promise<readonly string[]> {
  const rows = await everyRow(store, 'setting', counterKey({ project, name: '' }))
  const names = rows.map(({ key }) => key.slice(counterKey({ project, name: '' }).length))
  const there = await Promise.all(names.map((name) => newestOf(store, { project, name })))
  return names.filter((_, index) => there[index] !== undefined)
}

function nameOf({ key }: Row<'template'>): string {
  return key.split('/')[1] ?? ''
}

function versionKey({ project, name }: At, version: number): string {
  return `${project}/${name}/${String(version).padStart(6, '0')}`
}

function counterKey({ project, name }: At): string {
  return `template-version/${project}/${name}`
}

function viewOf(name: string, { version, text, parameters, createdMs, createdBy }: TemplateRow): TemplateView {
  return { name, version, text, parameters, created_ms: createdMs, created_by: createdBy }
}
