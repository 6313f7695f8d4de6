import { describe, expect, test } from 'vitest'
import { configFrom, manifestFrom } from '../inputs.ts'
import { UserError } from '../../core/base/problem.ts'

const CANARY = 'hunter2-canary-9000'
const HEAD = 'berth: v1\nkind: job\nname: a\nimage: a\nresources: { cpu: 1 }\n'

function problemsOf(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    if (error instanceof UserError) return JSON.stringify(error.problems)
    throw error
  }
  return ''
}

describe('what may be a secret is not said back', () => {
  test.each([
    `secrets: ${CANARY}`,
    `secrets: [${CANARY}]`,
    `secrets: ["${CANARY}=x"]`,
    `secrets:\n  - ${CANARY}`,
    `secrets:\n- ${CANARY}`,
    `secrets:\n  HF_TOKEN: ${CANARY}`,
    `password: ${CANARY}`,
    `token: ${CANARY}`,
    `api_key: ${CANARY}`,
    `apiKey: ${CANARY}`,
    `env: { DB_PASSWORD: [${CANARY}] }`,
    `env:\n  HF_TOKEN:\n    value: ${CANARY}`,
    `credentials:\n  user: me\n  word: ${CANARY}`,
    `private_key: [${CANARY}`,
  ])('in a manifest: %j', (text) => {
    const told = problemsOf(() => manifestFrom({ text: `${HEAD}${text}\n`, file: 'f.yaml' }))
    expect(told).not.toBe('')
    expect(told).not.toContain(CANARY)
  })

  test.each([
    `providers:\n  cloud: { kind: sim, credential: "${CANARY}" }`,
    `providers:\n  cloud:\n    kind: sim\n    token: ${CANARY}`,
    `password: ${CANARY}`,
  ])('in an infrastructure file: %j', (text) => {
    const told = problemsOf(() => configFrom({ text: `berth: v1\nkind: config\n${text}\n`, file: 'c.yaml' }))
    expect(told).not.toBe('')
    expect(told).not.toContain(CANARY)
  })

  test('but a key that is misspelt is named, and other lines are shown', () => {
    const told = problemsOf(() => manifestFrom({ text: `${HEAD}tokn: a\nsecretz: [A]\n`, file: 'f.yaml' }))
    expect(told).toContain('"sourceLine":"tokn: a"')
    expect(told).toContain('secretz')
  })
})
