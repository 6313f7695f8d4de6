import { describe, expect, test } from 'vitest'
import { printExplanation } from '../cli/print/explanation.ts'
import { eventText } from '../core/event/text.ts'
import { stateText } from '../cli/words/keep.ts'
import type { LaunchCall, Provider } from '../ports/provider.ts'
import { Secret } from '../ports/secret.ts'
import type { ServiceDeps } from '../service/deps.ts'
import { ADMIN, service } from '../service/platform.suite.ts'
import { removeSecret, setSecret } from '../service/secrets.ts'
import { explainWorkload, seeWorkload } from '../service/workload/views.ts'
import { applyManifest, rerunWorkload, stopWorkload } from '../service/workload/workloads.ts'
import { PLAIN_VAULT, Story } from './story.suite.ts'

const SERVICE =
  'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\nsecrets: [KEY]\n'
const PROJECTS = ['alpha', 'beta', 'default']

/** A story whose cloud writes down what each launch was handed: `PROJECT/WORKLOAD/SLOT value`. */
function begin(between: Story['between'] = (store) => store) {
  const story = new Story()
  story.between = between
  const handed: string[] = []
  story.cloud('north')
  const provider = story.provider('north')
  const noting: Provider = Object.assign(Object.create(provider), {
    launch: (order: Parameters<Provider['launch']>[0], call: LaunchCall) => {
      const values = [...call.secrets].map(([name, secret]) => `${name}=${secret.reveal()}`)
      handed.push(`${order.tag.project}/${order.tag.workload}/${order.tag.slot} ${values.join(' ')}`)
      return provider.launch(order, call)
    },
  })
  story.state('north', 'open', noting)
  story.controller('one')
  return { story, handed }
}

async function setKeys(story: Story, value: (project: string) => string, version = 1): Promise<void> {
  await story.store.commit({
    writes: PROJECTS.map((project) => {
      const about = `${project}/KEY/${version}`
      const sealed = PLAIN_VAULT.seal(new Secret(value(project)), about)
      return { kind: 'secret', key: `${project}/KEY`, body: { version, sealed, createdMs: 0 } } as const
    }),
  })
}

test('each project gets its own secret of one name: at the start, scaled, applied again and begun anew', async () => {
  const { story, handed } = begin()
  await setKeys(story, (project) => `of ${project}`)
  for (const project of PROJECTS) await story.apply(SERVICE, { project })
  await story.pass(10)
  expect(handed.toSorted()).toEqual(PROJECTS.map((project) => `${project}/demo/0 KEY=of ${project}`))

  // Each secret that left is in the audit, with the workload that got it, and never with its value.
  const audit = await story.store.audit({ after: 0, limit: 100 })
  const used = audit.filter(({ action }) => action === 'secret.use')
  const uses = used.map(({ project, actor, subject, facts }) => [project, actor, subject, facts] as const)
  expect(uses.toSorted()).toEqual(PROJECTS.map((project) => [project, 'system', 'secret/KEY', { workload: 'demo' }]))
  expect(JSON.stringify(audit)).not.toContain('of alpha')

  for (const project of PROJECTS)
    await story.apply(SERVICE, { project, scale: { '': 2 }, generation: 2, uid: `uid-demo` })
  await story.pass(10)
  expect(handed.slice(3).toSorted()).toEqual(PROJECTS.map((project) => `${project}/demo/1 KEY=of ${project}`))

  await setKeys(story, (project) => `newly of ${project}`, 2)
  const changed = SERVICE.replace('app:1', 'app:2')
  for (const project of PROJECTS) await story.apply(changed, { project, generation: 3, uid: `uid-demo` })
  await story.pass(60)
  const renewed = handed.slice(6)
  expect(renewed.length).toBeGreaterThanOrEqual(3)
  for (const line of renewed) {
    const [slot = ''] = line.split(' ')
    expect(line).toBe(`${slot} KEY=newly of ${slot.split('/')[0]}`)
  }
})

test('a project without the secret gets nothing of another that has it', async () => {
  const { story, handed } = begin()
  await setKeys(story, (project) => `of ${project}`)
  await story.apply(SERVICE, { project: 'gamma' })
  await story.pass(30)
  expect(handed).toEqual([])
  expect((await story.store.get('placement', 'gamma/demo/0'))?.body).toMatchObject({ phase: 'reserved' })
})

/** What users ask for, over the store of a story. */
function serviceOf(story: Story): ServiceDeps {
  const clock = { nowMs: () => story.loop.nowMs, tickMs: () => 0, cpuMs: () => 0 }
  const { vault, ...more } = service()
  return { ...more, store: story.store, vault: { ...vault, ...PLAIN_VAULT }, clock }
}

const AT = { project: 'default', name: 'demo' }
const TERMS = { once: undefined, ifTag: undefined }
const KEY = { project: 'default', name: 'KEY' }

/** It ran with its secret; then it was stopped, the secret removed, and it is wanted again. */
async function rerunWithout(story: Story, deps: ServiceDeps): Promise<void> {
  await setSecret(deps, ADMIN, { at: KEY, value: new Secret('value') })
  const ask = { project: 'default', file: 'demo.yaml', pinned: undefined, ...TERMS }
  await applyManifest(deps, ADMIN, { ...ask, text: `${SERVICE}replicas: 2\n` })
  await story.pass(10)
  await stopWorkload(deps, ADMIN, { at: AT, ...TERMS })
  await story.pass(30)
  await removeSecret(deps, ADMIN, KEY)
  await rerunWorkload(deps, ADMIN, { at: AT, ...TERMS })
}

describe('work whose secret is missing', () => {
  const said = 'Project default has no secret KEY. Set it: berth secret set KEY --project default'

  test('says which one and how to set it, and blames no provider', async () => {
    const { story, handed } = begin()
    const deps = serviceOf(story)
    await rerunWithout(story, deps)
    handed.length = 0
    const from = story.loop.nowMs
    await story.pass(120)
    expect(handed).toEqual([])
    const { view } = await seeWorkload(deps, AT)
    expect(view).toMatchObject({ problem: said, waiting: { code: 'SECRET_MISSING', text: said } })
    expect(stateText(view, story.loop.nowMs)).toBe(`starting: ${said}`)
    expect(view.slots.map(({ phase }) => phase)).toEqual(['reserved', 'reserved'])
    const explained = await explainWorkload(deps, AT)
    const screen = printExplanation(explained, { nowMs: story.loop.nowMs, all: 'one-screen' })
    expect(screen).toMatch(/^demo has waited 2 min \(0 of 2 up\): .*KEY.* \[SECRET_MISSING\]/)
    expect(screen).toContain('berth explain SECRET_MISSING')
    const events = (await story.events()).filter(({ atMs }) => atMs >= from)
    const waits = events.filter(({ kind }) => kind === 'waiting')
    // Said once, for all of its slots and all of its tries.
    expect(waits.map((event) => [event.facts['code'], eventText(event)])).toEqual([['SECRET_MISSING', said]])
    expect(JSON.stringify([explained, events])).not.toContain('RATE_LIMIT')
  })

  test('starts as soon as the secret is set, and says no more of it', async () => {
    const { story, handed } = begin()
    const deps = serviceOf(story)
    await rerunWithout(story, deps)
    await story.pass(61)
    handed.length = 0
    await setSecret(deps, ADMIN, { at: KEY, value: new Secret('again') })
    await story.pass(2)
    expect(handed.toSorted()).toEqual(['default/demo/0 KEY=again', 'default/demo/1 KEY=again'])
    const { view } = await seeWorkload(deps, AT)
    expect(view).toMatchObject({ problem: undefined, waiting: undefined })
    await story.pass(10)
    expect((await seeWorkload(deps, AT)).view.state).toBe('serving')
  })

  test('a secret that is set in another project wakes nothing here', async () => {
    const { story, handed } = begin()
    const deps = serviceOf(story)
    await rerunWithout(story, deps)
    await story.pass(30)
    handed.length = 0
    await setSecret(deps, ADMIN, { at: { project: 'beta', name: 'KEY' }, value: new Secret('another') })
    await story.pass(60)
    expect(handed).toEqual([])
  })

  test('a store that does not answer for a while is told as that', async () => {
    let isSilent = true
    const { story } = begin((store) => ({
      ...store,
      get: async (kind, key) => {
        if (isSilent && kind === 'secret') throw new Error('no answer')
        return store.get(kind, key)
      },
    }))
    const deps = serviceOf(story)
    await setSecret(deps, ADMIN, { at: KEY, value: new Secret('value') })
    await story.apply(SERVICE)
    await story.pass(5)
    expect((await seeWorkload(deps, AT)).view.waiting).toMatchObject({ code: 'SECRET_UNREAD' })
    isSilent = false
    await story.pass(40)
    expect((await seeWorkload(deps, AT)).view).toMatchObject({ state: 'serving', waiting: undefined })
  })
})
