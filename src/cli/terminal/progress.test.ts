import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { berth, INVENTORY, words, type World } from '../harness.suite.ts'

/** A clock that ticks twice as soon as it is set, and on which every look takes a while. */
const SLOW: World = {
  msBetweenLooks: 600,
  every: (_, act) => {
    act()
    act()
    return () => {}
  },
}

describe('what takes longer than a second says what it waits for', () => {
  test('a control plane that is slow to answer', async () => {
    const { err, out } = await berth(['ps'], { ...SLOW, control: furnishedPlane, columns: 80 })
    expect(err).toContain('\rwaiting for http://127.0.0.1:7700 to answer, 2 s')
    expect(err).toMatch(/\r +\r$/)
    expect(out).toContain('llama-70b')
  })

  test('many offers that are read', async () => {
    const files = { 'inventory.yaml': INVENTORY }
    const world = { ...SLOW, files, columns: 80, msBetweenLooks: 1200 }
    const { err } = await berth(words('offers import --offers inventory.yaml --to a.snapshot'), world)
    expect(err).toContain('\rreading inventory.yaml (1 file so far)')
  })

  test('several workloads that are stopped or removed one after the other', async () => {
    const world = { ...SLOW, control: furnishedPlane, columns: 80, msBetweenLooks: 1200 }
    expect((await berth(words('stop llama-70b'), world)).err).toContain('\rstopping llama-70b, 1 of 1')
    expect((await berth(words('rm llama-70b --yes'), world)).err).toContain('\rremoving llama-70b, 1 of 1')
  })

  test('and in a pipe nothing', async () => {
    expect(await berth(['ps'], { ...SLOW, control: furnishedPlane })).toMatchObject({ err: '' })
    const world = { ...SLOW, files: { 'inventory.yaml': INVENTORY } }
    expect(await berth(words('offers list --offers inventory.yaml'), world)).toMatchObject({ err: '' })
  })

  test('and what answers at once nothing either', async () => {
    expect(await berth(['ps'], { control: furnishedPlane, columns: 80 })).toMatchObject({ err: '' })
  })
})
