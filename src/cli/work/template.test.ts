import { describe, expect, test } from 'vitest'
import { TEMPLATE, emptyPlane, furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth template', () => {
  test('push makes a new version only of a new text', async () => {
    const control = emptyPlane()
    const world = { control: () => control, files: { 't.yaml': TEMPLATE } }
    const first = await berth(words('template push chat t.yaml'), world)
    expect(first.out).toBe('chat@1 is stored.\n\nNext:  berth launch chat\n')
    expect((await berth(words('template push chat t.yaml'), world)).out).toContain('chat@1 is stored.')
  })

  test('show has the parameters and the text', async () => {
    const { out } = await berth(words('template show chat@1'), { control: furnishedPlane })
    expect(out).toContain(
      'chat@1, pushed 60 s ago by ada\n\n  PARAMETER  TYPE    DEFAULT  ALLOWED\n  gpus       number  4        any\n',
    )
    expect(out).toContain('  name: chat\n')
  })

  test('diff compares the newest with the one before, any two, or one with a file', async () => {
    const world = { control: furnishedPlane, files: { 't.yaml': TEMPLATE } }
    const { code, out } = await berth(words('template diff chat'), world)
    expect(code).toBe(EXIT.differs)
    expect(out).toContain('chat@1 -> chat@2\n')
    expect(out).toContain('\n-   gpus: { type: number, default: 4 }\n+   gpus: { type: number, default: 2 }\n')
    expect((await berth(words('template diff chat@2 1'), world)).out).toContain('chat@2 -> chat@1\n')
    const same = await berth(words('template diff chat@1 t.yaml'), world)
    expect([same.code, same.out]).toEqual([EXIT.ok, 'chat@1 and t.yaml are the same.\n'])
  })

  test('rm takes one version or all of them', async () => {
    const control = furnishedPlane()
    const world = { control: () => control, answers: ['y'] }
    expect((await berth(words('template rm chat@1'), world)).asked).toEqual(['Remove chat@1? [y/N] '])
    expect(JSON.parse((await berth(words('template ls -o json'), world)).out)).toHaveLength(1)
    expect((await berth(words('template rm chat'), world)).asked).toEqual(['Remove every version of chat? [y/N] '])
    expect((await berth(words('template ls'), world)).out).toContain('Project default has no templates.')
  })

  test('one that is not there gets what was meant', async () => {
    const { code, err } = await berth(words('template show chta'), { control: furnishedPlane })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('Did you mean chat?')
  })
})
