import { expect, test } from 'vitest'
import type { LaunchCall, Provider } from '../ports/provider.ts'
import { Secret } from '../ports/secret.ts'
import { PLAIN_VAULT, Story } from './story.suite.ts'

const SERVICE =
  'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\nsecrets: [KEY]\n'
const PROJECTS = ['alpha', 'beta', 'default']

/** A story whose cloud writes down what each launch was handed: `PROJECT/WORKLOAD/SLOT value`. */
function begin() {
  const story = new Story()
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
