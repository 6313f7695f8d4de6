import { describe, expect, test } from 'vitest'
import { furnishedPlane, TEMPLATE } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words, type Ran, type World } from '../harness.suite.ts'

function launch(line: string, control = furnishedPlane(), world: World = {}): Promise<Ran> {
  return berth(['launch', ...words(line)], { control: () => control, ...world })
}

describe('berth launch', () => {
  test('runs what the template describes and follows it until it is up', async () => {
    const { code, out } = await launch('chat --set gpus=1 --yes')
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('chat is accepted.\n')
    expect(out).toContain('chat is up at http://127.0.0.1:31230')
  })

  test('a missing secret is reported before anything else', async () => {
    const control = furnishedPlane()
    await control.pushTemplate({ project: 'default', name: 'needy', text: `${TEMPLATE}secrets: [OTHER]\n` })
    const { code, out, err } = await launch('needy --dry-run', control)
    expect([code, out]).toEqual([EXIT.invalid, ''])
    expect(err).toContain('Set it first: berth secret set OTHER')
  })

  test('shows the plan and asks before it spends anything', async () => {
    const control = furnishedPlane()
    const declined = await launch('chat', control, { answers: ['n'] })
    expect(declined.code).toBe(EXIT.notDone)
    expect(declined.asked).toEqual(['Place 1 replica for $9.40/h? [Y/n] '])
    expect(declined.out).toContain('chat: 1 of 1 replica has a place, $9.40/h in all\n')
    const piped = await launch('chat', control)
    expect([piped.code, piped.err]).toEqual([EXIT.unconfirmed, expect.stringContaining('--yes')])
    const dry = await launch('chat --dry-run -o json', control)
    expect(JSON.parse(dry.out)).toMatchObject({ plans: [{ name: 'chat', outcome: 'create', plan: { fits: true } }] })
    expect(control.applied).toEqual([])
  })

  test('what fits nowhere is refused with 2, unless it may wait', async () => {
    const control = furnishedPlane()
    const { code, out, err } = await launch('chat --set gpus=64 --yes', control)
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toContain('chat: no place.')
    expect(err).toContain('--queue')
    expect(control.applied).toEqual([])
    await launch('chat --set gpus=64 --yes --queue --timeout 1s', control)
    expect(control.applied).toHaveLength(1)
  })

  test('the version that was shown is the one that is launched', async () => {
    const control = furnishedPlane()
    await launch('chat --yes', control)
    expect(control.applied.at(-1)).toMatchObject({ version: 2 })
  })

  test('a version, a name and several values can be given', async () => {
    const control = furnishedPlane()
    await launch('chat@1 --yes --name blue --set gpus=1 model=a=b', control)
    expect(control.applied.at(-1)).toMatchObject({ set: { gpus: '1', model: 'a=b' }, version: 1, name: 'blue' })
    expect((await control.workload({ project: 'default', name: 'blue' })).state).toBe('serving')
  })

  test.each([
    ['chat@newest', 'Write NAME or NAME@VERSION', EXIT.usage],
    ['chat --set gpus', 'A --set value has no = in it.', EXIT.usage],
    ['chat --set =3', 'COMMAND_LINE', EXIT.usage],
    ['chat --set __proto__=3', 'COMMAND_LINE', EXIT.usage],
    ['chatt', 'Did you mean chat?', EXIT.notFound],
  ])('launch %s is refused: %s', async (line, expected, exit) => {
    const { code, err } = await launch(line)
    expect(code).toBe(exit)
    expect(err).toContain(expected)
  })
})
