import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth project', () => {
  test('what is not named stays as it is, and none takes a limit away', async () => {
    const control = furnishedPlane()
    const world = { control: () => control }
    const { out } = await berth(words('project set default --gpus 16'), world)
    expect(out).toContain('Project default: GPUs 16, dollars per hour 50.00, workloads no limit;')
    await berth(words('project set default --usd-per-hour none --workloads 0'), world)
    const [limits] = await control.projects()
    expect(limits).toMatchObject({ name: 'default', gpus_max: 16, workloads_max: 0 })
    expect(limits).not.toHaveProperty('usd_per_hour_max')
  })

  test('ls shows the limits', async () => {
    expect((await berth(words('project ls'), { control: furnishedPlane })).out).toBe(
      '  NAME     GPUS            $/h  WORKLOADS  POLICIES  PROVIDERS  PROCESSES\n' +
        '  default     4  9.40 of 50.00          1  all       all        no\n',
    )
  })

  test('ls and get show what is used next to what may be', async () => {
    const control = furnishedPlane()
    const used = { gpus: 3, usd_per_hour: 4.5, workloads: 7 }
    const limits = { gpus_max: 16 }
    const rules = { policies: ['house'], providers: ['north', 'south'], processes: true }
    const projects = async () => [{ name: 'lab', ...limits, ...rules, used }]
    const world = { control: () => ({ ...control, projects }) }
    expect((await berth(words('project ls'), world)).out).toBe(
      '  NAME     GPUS   $/h  WORKLOADS  POLICIES  PROVIDERS     PROCESSES\n' +
        '  lab   3 of 16  4.50          7  house     north, south  allowed\n',
    )
    expect((await berth(words('project get lab'), world)).out).toContain('GPUs       3 of 16\n')
    const { code, err } = await berth(words('project get lob'), world)
    expect([code, err]).toEqual([EXIT.notFound, expect.stringContaining('Did you mean lab? Create it with: berth')])
  })

  test('policies, providers and processes are set by name, and given back with *', async () => {
    const control = furnishedPlane()
    const world = { control: () => control }
    for (const name of ['house', 'batch']) await control.setPolicy({ name, settings: { objective: 'cheapest' } })
    for (const name of ['north', 'south']) await control.addProvider({ name, kind: 'sim', settings: {} })
    await berth(words('project set lab --policy house,batch --provider north south --processes'), world)
    const lab = async () => (await control.projects()).find(({ name }) => name === 'lab')
    expect(await lab()).toMatchObject({
      policies: ['house', 'batch'],
      providers: ['north', 'south'],
      processes: true,
    })
    await berth(['project', 'set', 'lab', '--policy', '*', '--no-processes'], world)
    expect(await lab()).toMatchObject({ providers: ['north', 'south'], processes: false })
    expect(await lab()).not.toHaveProperty('policies')
  })

  test('create makes one, and leaves one that is there as it is', async () => {
    const control = furnishedPlane()
    const world = { control: () => control }
    expect((await berth(words('project create lab'), world)).out).toBe('Project lab is created.\n')
    expect((await control.projects()).map(({ name }) => name)).toEqual(['default', 'lab'])
    expect((await berth(words('project create default'), world)).out).toBe('Project default already exists.\n')
    expect(await control.projects()).toMatchObject([{ usd_per_hour_max: 50 }, {}])
  })

  test.each([
    ['project set default', 'give at least one setting: --gpus, --usd-per-hour, --workloads'],
    ['project set default --gpus few', 'Write a whole number, or none'],
    ['project set default --usd-per-hour cheap', 'Write dollars, for example 12.50, or none'],
  ])('%s is refused: %s', async (line, expected) => {
    const { code, err } = await berth(words(line), { control: furnishedPlane })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain(expected)
  })
})
