import { describe, expect, test } from 'vitest'
import { furnishedBerth } from './berth.suite.ts'
import { EXIT } from './cli.ts'
import { berth, words, type Ran } from './harness.suite.ts'

function launch(line: string, control = furnishedBerth()): Promise<Ran> {
  return berth(['launch', ...words(line)], { control: () => control, onSleep: control.step })
}

describe('berth launch', () => {
  test('runs what the template describes and follows it until it stands', async () => {
    const { code, out } = await launch('chat --set gpus=1')
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('chat is accepted.\n')
    expect(out).toContain('chat is up at http://127.0.0.1:31230')
  })

  test('a version, a name and several values can be given', async () => {
    const control = furnishedBerth()
    await launch('chat@1 --name blue --set gpus=1 model=a=b', control)
    expect(control.applied.at(-1)).toMatchObject({ set: { gpus: '1', model: 'a=b' }, version: 1, name: 'blue' })
    expect((await control.workload({ project: 'default', name: 'blue' })).state).toBe('serving')
  })

  test.each([
    ['chat@newest', 'Write NAME or NAME@VERSION', EXIT.usage],
    ['chat --set gpus', 'A --set has no = in it.', EXIT.invalid],
    ['chat --set =3', 'SETTING_MALFORMED', EXIT.invalid],
    ['chat --set __proto__=3', 'SETTING_MALFORMED', EXIT.invalid],
    ['chatt', 'Did you mean chat?', EXIT.invalid],
  ])('launch %s is refused: %s', async (line, expected, exit) => {
    const { code, err } = await launch(line)
    expect(code).toBe(exit)
    expect(err).toContain(expected)
  })
})
