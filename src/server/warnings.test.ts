import { describe, expect, test } from 'vitest'
import { bearer, manifestNamed, world } from './server.suite.ts'

const IDLE = `${manifestNamed('a')}restart: { class: inference }\n`
const WARNING = {
  code: 'NO_EFFECT_YET',
  found: 'restart.class',
  message: expect.stringContaining('has no effect yet'),
  hint: expect.any(String),
  place: { file: 'a.yaml', line: expect.any(Number), column: 12 },
}

async function ask() {
  const one = world()
  const headers = bearer(await one.token('writer', ['default']))
  return async (path: string, payload: object) =>
    (await one.app.inject({ method: 'POST', url: `/v2/projects/default/${path}`, headers, payload })).json()
}

describe('a manifest that states something without effect', () => {
  test('is previewed and applied with a warning that says so', async () => {
    const send = await ask()
    const request = { text: IDLE, file: 'a.yaml' }
    expect(await send('preview', request)).toMatchObject({ outcome: 'create', warnings: [WARNING] })
    expect(await send('workloads', request)).toMatchObject({ outcome: 'created', warnings: [WARNING] })
    expect(await send('workloads', request)).toMatchObject({ outcome: 'unchanged', warnings: [WARNING] })
  })

  test('is launched from a template with the same warning', async () => {
    const send = await ask()
    expect(await send('templates/t', { text: IDLE })).toMatchObject({ name: 't', version: 1 })
    const answer = await send('templates/t/launch', { set: {} })
    expect(answer).toMatchObject({ outcome: 'created', warnings: [{ code: 'NO_EFFECT_YET', found: 'restart.class' }] })
  })

  test('one that states nothing of the kind has none', async () => {
    const send = await ask()
    const request = { text: manifestNamed('a'), file: 'a.yaml' }
    expect(await send('preview', request)).not.toHaveProperty('warnings')
    expect(await send('workloads', request)).not.toHaveProperty('warnings')
  })
})
