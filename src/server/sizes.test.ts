import { expect, test } from 'vitest'
import { placed, workloadOf } from '../core/life/keep.suite.ts'
import { placementKey } from '../core/life/placement.ts'
import { slotsWanted } from '../core/life/slots.ts'
import { bearer, manifestNamed, world, type World } from './server.suite.ts'
import { cpuMs } from '../core/base/cpu.suite.ts'

const WORKLOADS = '/v2/projects/default/workloads'

async function asking(one: World) {
  const headers = bearer(await one.token('writer', ['default']))
  return (url: string, payload: object) => one.app.inject({ method: 'POST', url, payload, headers })
}

/** A manifest with this many roles of this many replicas each. */
function rolesOf(count: number, replicas: number): string {
  return `roles:\n${Array.from({ length: count }, (_, at) => `  r${at}: { replicas: ${replicas} }\n`).join('')}`
}

test('a manifest of ten million slots is refused in a moment, and nothing of it is kept', async () => {
  const one = world()
  const ask = await asking(one)
  await ask(WORKLOADS, { text: manifestNamed('warm') })
  const startMs = cpuMs()
  const refused = await ask(WORKLOADS, { text: manifestNamed('poison', rolesOf(1000, 10_000)) })
  expect(cpuMs() - startMs).toBeLessThan(1000)
  expect(refused.json()).toMatchObject({ status: 422, code: 'VALUE_RANGE' })
  expect(await one.deps.service.store.get('workload', 'default/poison')).toBeUndefined()
})

test('a workload is not scaled beyond what a manifest may ask for', async () => {
  const ask = await asking(world())
  await ask(WORKLOADS, { text: manifestNamed('wide', rolesOf(2, 5000)) })
  const answer = await ask(`${WORKLOADS}/wide/scale`, { role: 'r0', replicas: 5001 })
  expect(answer.json()).toMatchObject({
    status: 422,
    code: 'SCALE_IMPOSSIBLE',
    detail: expect.stringContaining('10001'),
  })
  expect((await ask(`${WORKLOADS}/wide/scale`, { role: 'r0', replicas: 10 })).json()).toMatchObject({ total: 5010 })
})

test('secrets that no program could be given are refused when the manifest comes', async () => {
  const one = world()
  const ask = await asking(one)
  const headers = bearer(await one.token('admin', ['*']))
  const names = Array.from({ length: 10 }, (_, at) => `S${at}`)
  for (const name of names) {
    const url = `/v2/projects/default/secrets/${name}`
    await one.app.inject({ method: 'PUT', url, payload: { value: 'x'.repeat(60_000) }, headers })
  }
  const refused = await ask(WORKLOADS, { text: manifestNamed('big', `secrets: [${names.join(', ')}]\n`) })
  expect(refused.json()).toMatchObject({ status: 422, code: 'SECRETS_TOO_LARGE' })
  expect((await ask(WORKLOADS, { text: manifestNamed('some', 'secrets: [S0, S1]\n') })).statusCode).toBe(200)
})

test('a list shows a few slots of each workload and says how many more there are, whatever the page costs', async () => {
  const one = world()
  const headers = bearer(await one.token('reader', ['default']))
  const names = ['a', 'b', 'c']
  for (const name of names) {
    const workload = { ...workloadOf(manifestNamed(name)), name, scale: { '': 6000 } }
    const placements = slotsWanted(workload).map(({ slot }) => placed(workload, slot, 'running'))
    await one.deps.service.store.commit({
      writes: [
        { kind: 'workload', key: `default/${name}`, body: workload },
        ...placements.map((body) => ({ kind: 'placement' as const, key: placementKey(body), body })),
      ],
    })
  }
  const seen: { name: string; slots: unknown[]; slots_left_out: number; total: number }[] = []
  let pages = 0
  for (let after: string | undefined = ''; after !== undefined; pages++) {
    const url: string = `/v2/workloads?limit=500${after === '' ? '' : `&after=${after}`}`
    const page = (await one.app.inject({ url, headers })).json()
    seen.push(...page.items)
    after = page.next
  }
  expect(seen.map(({ name }) => name)).toEqual(names)
  expect(pages).toBeGreaterThan(1)
  for (const { slots, slots_left_out: left, total } of seen)
    expect([slots.length, left, total]).toEqual([100, 5900, 6000])
  const whole = (await one.app.inject({ url: '/v2/projects/default/workloads/a', headers })).json()
  expect([whole.slots.length, whole.slots_left_out]).toEqual([6000, undefined])
})
