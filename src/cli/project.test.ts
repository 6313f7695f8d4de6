import { describe, expect, test } from 'vitest'
import { furnishedBerth } from './berth.suite.ts'
import { EXIT } from './cli.ts'
import { berth, words } from './harness.suite.ts'

describe('berth project', () => {
  test('what is not named stays as it is, and none takes a limit away', async () => {
    const control = furnishedBerth()
    const world = { control: () => control }
    const { out } = await berth(words('project set default --gpus 16'), world)
    expect(out).toContain('Project default: GPUs 16, dollars an hour 50.00, workloads no limit.')
    await berth(words('project set default --usd-per-hour none --workloads 0'), world)
    expect(control.shelf.projects.get('default')).toEqual({ gpusMax: 16, usdPerHourMax: undefined, workloadsMax: 0 })
  })

  test('ls shows the limits', async () => {
    expect((await berth(words('project ls'), { control: furnishedBerth })).out).toBe(
      '  NAME         GPUS    $/h  WORKLOADS\n  default  no limit  50.00   no limit\n',
    )
  })

  test.each([
    ['project set default', '--gpus, --usd-per-hour or --workloads is needed'],
    ['project set default --gpus few', 'Write a whole number, or none'],
    ['project set default --usd-per-hour cheap', 'Write dollars, for example 12.50, or none'],
  ])('%s is refused: %s', async (line, expected) => {
    const { code, err } = await berth(words(line), { control: furnishedBerth })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain(expected)
  })
})
