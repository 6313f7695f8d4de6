import { at, type Rule, type Source } from '../source.ts'

/** A word that named something once. */
export interface GoneWord {
  readonly word: string
  /** What to say instead. */
  readonly say: string
  /** `types`: it may not be the name of a type. `names`: nor anything else in `src`. `anything`: nor stand in a text. */
  readonly from: 'anything' | 'names' | 'types'
  /** Plain English that has the word in it and is fine. */
  readonly phrases: readonly string[]
}

/** A page for people. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** Reads the table of the glossary: one word for each form that is named in a row. */
export function goneWords(glossary: string): readonly GoneWord[] {
  const [, section = ''] = glossary.split('\n## Words that are gone\n')
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| word '))
  return rows.flatMap((row) => {
    const [, words = '', say = '', where = ''] = row.split('|').map((cell) => cell.trim())
    const from = where === 'names of types' ? 'types' : where === 'names in src' ? 'names' : 'anything'
    const phrases = [...where.matchAll(/"([^"]+)"/g)].map(([, phrase = '']) => phrase)
    return words.split(', ').map((word): GoneWord => ({ word, say, from, phrases }))
  })
}

/** Words that are gone name nothing, and stand neither in comments nor in texts. */
export function noGoneWords(gone: readonly GoneWord[]): Rule {
  const inTexts = finder(gone.filter(({ from }) => from === 'anything'))
  const byWord = new Map(gone.map((each) => [each.word, each]))
  // Few files have the letters of such a word in them at all: only those are looked at closely.
  const letters = new RegExp(gone.map(({ word }) => word).join('|'), 'i')
  return (sources) =>
    sources
      .filter(({ lines }) => lines.some((line) => letters.test(line)))
      .flatMap((source) => {
        const names = namesIn(source).flatMap(({ name, start, isType }) =>
          wordsOf(name)
            .flatMap((word) => byWord.get(word) ?? [])
            .filter(({ from, word }) =>
              from === 'types'
                ? isType && name.toLowerCase() === word
                : from === 'anything' || source.path.startsWith('src/'),
            )
            .map(({ word, say }) => at(source, source.lineAt(start), `names ${name}: for ${word} say ${say}`)),
        )
        const texts = textsIn(source).flatMap(({ text, line }) =>
          inTexts(text, line).map((found) => at(source, ...found)),
        )
        return [...names, ...texts]
      })
}

/** Words that are gone stand on no page. Where a link leads to is no word. */
export function noGoneWordsOn(pages: readonly Page[], gone: readonly GoneWord[]): readonly string[] {
  const find = finder(gone.filter(({ from }) => from === 'anything'))
  return pages.flatMap(({ path, text }) =>
    find(text.replaceAll(/\]\([^)]*\)/g, ']'), 1).map(([line, words]) => `${path}:${line} ${words}`),
  )
}

type Found = readonly [line: number, words: string]

/** Looks through a text that begins on some line. */
function finder(gone: readonly GoneWord[]): (text: string, line: number) => readonly Found[] {
  if (gone.length === 0) return () => []
  const named = new Map(gone.map((each) => [each.word, each]))
  const pattern = new RegExp(`\\b(?:${gone.map(({ word }) => word).join('|')})\\b`, 'gi')
  return (text, line) =>
    [...text.matchAll(pattern)].flatMap((match): readonly Found[] => {
      const each = named.get(match[0].toLowerCase())
      if (each === undefined || each.phrases.some((phrase) => endsWith(text, match, phrase))) return []
      const above = text.slice(0, match.index).split('\n').length - 1
      return [[line + above, `says ${match[0]}: say ${each.say}`]]
    })
}

function endsWith(text: string, { 0: word, index }: RegExpExecArray, phrase: string): boolean {
  return text
    .slice(0, index + word.length)
    .toLowerCase()
    .endsWith(phrase)
}

/** `providerGates`, `PROVIDER_GATES` and `#provider` are made of words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

interface Name {
  readonly name: string
  readonly start: number
  readonly isType: boolean
}

function namesIn(source: Source): readonly Name[] {
  const types = new Set<unknown>(
    source.nodes('TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration').map(({ id }) => id),
  )
  return source
    .nodes('Identifier', 'PrivateIdentifier')
    .map((node) => ({ name: node.name, start: node.start, isType: types.has(node) }))
}

/** What stands in comments, strings and templates, with the line on which it begins. */
function textsIn(source: Source): readonly { readonly text: string; readonly line: number }[] {
  const strings = source.nodes('Literal').flatMap(({ value, start }) => {
    return typeof value === 'string' ? [{ text: value, line: source.lineAt(start) }] : []
  })
  const templates = source
    .nodes('TemplateElement')
    .map(({ value, start }) => ({ text: value.raw, line: source.lineAt(start) }))
  return [...source.comments, ...strings, ...templates]
}
