import { describe, expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { goneWords, noGoneWords, noGoneWordsOn } from './words.ts'

const GLOSSARY = `# Glossary

| word | means |
|---|---|
| gate | what stands in front |

## Words that are gone

| word | say | not allowed in |
|---|---|---|
| hatch, hatches | gate | anything but "booby hatch" |
| hope | request | names in src |
| mood | state | names of types |
`
const GONE = goneWords(GLOSSARY)
const source = (text: string) => [sourceOf('src/store/a.ts', text)]

test('the glossary says which words are gone', () => {
  expect(GONE).toEqual([
    { word: 'hatch', say: 'gate', from: 'anything', phrases: ['booby hatch'] },
    { word: 'hatches', say: 'gate', from: 'anything', phrases: ['booby hatch'] },
    { word: 'hope', say: 'request', from: 'names', phrases: [] },
    { word: 'mood', say: 'state', from: 'types', phrases: [] },
  ])
})

describe('a word that is gone stays gone', () => {
  test.each([
    ['const hatch = 1', 'names hatch: for hatch say gate'],
    ['const HATCHES_MAX = 1', 'names HATCHES_MAX: for hatches say gate'],
    ['a.openHatch()', 'names openHatch: for hatch say gate'],
    ['class A { #hatch = 1 }', 'names hatch: for hatch say gate'],
    ['const hopeFor = 1', 'names hopeFor: for hope say request'],
    ['interface Mood {}', 'names Mood: for mood say state'],
    ["const a = 'One Hatch.'", 'says Hatch: say gate'],
    ['const a = `${b} hatches`', 'says hatches: say gate'],
    ['// The hatch is closed.', 'says hatch: say gate'],
  ])('%s', (text, wrong) => {
    expect(noGoneWords(GONE)(source(text))).toEqual([`src/store/a.ts:1 ${wrong}`])
  })

  test('with the line on which it stands', () => {
    expect(noGoneWords(GONE)(source('/**\n * A\n * hatch.\n */\n'))).toEqual(['src/store/a.ts:3 says hatch: say gate'])
  })
})

test.each([
  'const thatchedRoof = 1',
  "const a = 'a booby hatch' // the booby hatch",
  "const a = 'I hope so'",
  'const mood = 1',
  'interface MoodSwing {}',
])('%s is fine', (text) => {
  expect(noGoneWords(GONE)(source(text))).toEqual([])
})

test('a name may stand in tests outside src where only names in src are meant', () => {
  expect(noGoneWords(GONE)([sourceOf('testing/a.ts', 'const hope = 1')])).toEqual([])
  expect(noGoneWords(GONE)([sourceOf('testing/a.ts', 'const hatch = 1')])).toHaveLength(1)
})

test('pages do not say it either, and where a link leads to is no word', () => {
  const pages = [
    { path: 'docs/a.md', text: 'One.\nA hatch.\n' },
    { path: 'docs/b.md', text: 'I hope: see [decision 1](0001-the-hatch.md).\n' },
  ]
  expect(noGoneWordsOn(pages, GONE)).toEqual(['docs/a.md:2 says hatch: say gate'])
})
