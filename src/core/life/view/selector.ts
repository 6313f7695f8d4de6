import { LABEL_KEY, LABEL_VALUE } from '../../manifest/labels.ts'

/** What labels must match: all terms must hold. */
export type Selector = readonly Term[]

interface Term {
  readonly key: string
  /** `there`: the key exists, with any value. */
  readonly is: 'equal' | 'other' | 'there'
  readonly value: string
}

export type Labels = Readonly<Record<string, string>>

/** `team=ml,stage!=test,gpu`; undefined: the text does not have that form. */
export function parseSelector(text: string): Selector | undefined {
  const terms = text.split(',').map((part): Term | undefined => {
    const [, key = '', sign, value = ''] = /^\s*([^=!\s]+?)\s*(?:(!=|==?)\s*(.*?))?\s*$/u.exec(part) ?? []
    if (!LABEL_KEY.test(key) || !LABEL_VALUE.test(value)) return undefined
    return { key, is: sign === undefined ? 'there' : sign === '!=' ? 'other' : 'equal', value }
  })
  const known = terms.filter((term) => term !== undefined)
  return known.length === terms.length ? known : undefined
}

/** The text that parses to this selector. */
export function printSelector(selector: Selector): string {
  const signs = { equal: '=', other: '!=' } as const
  return selector.map(({ key, is, value }) => (is === 'there' ? key : `${key}${signs[is]}${value}`)).join(',')
}

/** Whether all terms hold. A missing label differs from every value. */
export function matches(labels: Labels | undefined, selector: Selector): boolean {
  return selector.every(({ key, is, value }) => {
    const found = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
    if (is === 'there') return found !== undefined
    return is === 'equal' ? found === value : found !== value
  })
}
