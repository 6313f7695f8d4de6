import { expect, test } from 'vitest'
import { bearer, manifestNamed, world, type World } from './server.suite.ts'

const WORKLOADS = '/v1/projects/default/workloads'

async function asking(one: World) {
  const headers = bearer(await one.token('writer', ['default']))
  return (url: string, payload: object) => one.app.inject({ method: 'POST', url, payload, headers })
}

/** So many roles of so many replicas each. */
function rolesOf(count: number, replicas: number): string {
  return `roles:\n${Array.from({ length: count }, (_, at) => `  r${at}: { replicas: ${replicas} }\n`).join('')}`
}

test('a manifest of ten million slots is refused in a moment, and nothing of it is kept', async () => {
  const one = world()
  const ask = await asking(one)
  await ask(WORKLOADS, { text: manifestNamed('warm') })
  const startMs = performance.now()
  const refused = await ask(WORKLOADS, { text: manifestNamed('poison', rolesOf(1000, 10_000)) })
  expect(performance.now() - startMs).toBeLessThan(1000)
  expect(refused.json()).toMatchObject({ status: 422, code: 'VALUE_RANGE' })
  expect(await one.doors.desk.store.get('workload', 'default/poison')).toBeUndefined()
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
    const url = `/v1/projects/default/secrets/${name}`
    await one.app.inject({ method: 'PUT', url, payload: { value: 'x'.repeat(60_000) }, headers })
  }
  const refused = await ask(WORKLOADS, { text: manifestNamed('big', `secrets: [${names.join(', ')}]\n`) })
  expect(refused.json()).toMatchObject({ status: 422, code: 'SECRETS_TOO_LARGE' })
  expect((await ask(WORKLOADS, { text: manifestNamed('some', 'secrets: [S0, S1]\n') })).statusCode).toBe(200)
})
