import { expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { issuesNamed, lookedAt, noDeadCode } from './comments.ts'

const comment = (text: string) => [sourceOf('src/store/a.ts', `// ${text}`)]

test('what is left to do names its issue', () => {
  expect(issuesNamed(comment(['TODO', 'this'].join(' ')))).toHaveLength(1)
  expect(issuesNamed(comment(['TODO', '#12 this'].join(' ')))).toEqual([])
  expect(issuesNamed([sourceOf('src/store/a.ts', "const a = 'TODO'")])).toEqual([])
})

test('no code is commented out', () => {
  for (const text of ['const a = 1;', 'return f(x)', 'f(x)', 'if (a) {', '}', "import { a } from './a.ts'"]) {
    expect(noDeadCode(comment(text)), text).toHaveLength(1)
  }
  for (const text of ['The rest is known already.', 'For each of them, one more (see above).']) {
    expect(noDeadCode(comment(text)), text).toEqual([])
  }
})

test('no tool is told to look away without a reason', () => {
  expect(lookedAt(comment('@ts-expect-error'))).toHaveLength(1)
  expect(lookedAt(comment('oxlint-disable-next-line no-new'))).toHaveLength(1)
  expect(lookedAt(comment('oxlint-disable-next-line no-new -- the constructor registers it'))).toEqual([])
  expect(lookedAt([sourceOf('src/store/a.ts', "const a = '@ts-ignore'")])).toEqual([])
})
