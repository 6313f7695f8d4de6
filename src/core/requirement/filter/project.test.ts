import { describe, expect, test } from 'vitest'
import { noneOf, oneOf } from '../need/choice.ts'
import { inWords, loosened, need, NOW_MS, site } from './facts.suite.ts'
import { project } from './project.ts'

const ALPHA_ONLY = need({ projectProvider: oneOf(['alpha']) })
const NOT_AS_BERTH = need({ walled: noneOf(['beta']) })
const ALPHA = site({ provider: 'alpha' })
const BETA = site({ provider: 'beta' })

describe('project', () => {
  test('a provider that the project may use will do', () => {
    expect(project.check(ALPHA, ALPHA_ONLY, NOW_MS)).toBeUndefined()
    expect(project.check(ALPHA, NOT_AS_BERTH, NOW_MS)).toBeUndefined()
    expect(project.check(BETA, need(), NOW_MS)).toBeUndefined()
  })

  test('a provider that is not in its list is turned down', () => {
    const reason = project.check(BETA, ALPHA_ONLY, NOW_MS)
    expect(reason).toEqual({ code: 'PROVIDER_NOT_FOR_PROJECT', wanted: 'alpha', found: 'beta' })
    expect(inWords(project, reason)).toBe('the project may not use its provider; clears: policy')
  })

  test('one whose programs run as Berth’s own user is turned down with a reason of its own', () => {
    const reason = project.check(BETA, NOT_AS_BERTH, NOW_MS)
    expect(reason).toEqual({ code: 'PROCESSES_NOT_FOR_PROJECT', wanted: 'containers', found: 'processes' })
    expect(inWords(project, reason)).toContain('an administrator can allow it: berth project set NAME --processes')
  })

  test('loosening admits one provider at a time, or processes', () => {
    expect(loosened(project, ALPHA_ONLY, [BETA])).toEqual([
      { change: 'project.providers: [alpha] -> [alpha, beta]', admits: [true] },
    ])
    expect(loosened(project, NOT_AS_BERTH, [BETA])).toEqual([
      { change: 'project.processes: false -> true', admits: [true] },
    ])
  })
})
