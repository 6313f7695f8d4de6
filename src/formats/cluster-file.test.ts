import { describe, expect, test } from 'vitest'
import { readClusterFile } from './cluster-file.ts'

function read(text: string) {
  return readClusterFile(new TextEncoder().encode(text), 'nodes.json')
}

describe('a file of kubectl', () => {
  test('is JSON, YAML, or YAML of several documents', () => {
    expect(read('{"kind": "List", "items": []}')).toEqual({ values: [{ kind: 'List', items: [] }] })
    expect(read('kind: List\nitems: []\n')).toEqual({ values: [{ kind: 'List', items: [] }] })
    expect(read('kind: Node\n---\nkind: Pod\n')).toEqual({ values: [{ kind: 'Node' }, { kind: 'Pod' }] })
  })

  test('may be larger than what people write by hand', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ kind: 'Node', metadata: { name: `n${index}` } }))
    expect(read(JSON.stringify({ kind: 'List', items }))).toMatchObject({ values: [{ kind: 'List' }] })
  })

  test.each([
    ['', 'nodes.json is empty.'],
    [' \n', 'nodes.json is empty.'],
  ])('%j is refused', (text, message) => {
    expect(read(text)).toMatchObject({ problems: [{ code: 'NODES_UNREADABLE', message }] })
  })

  test('what is neither names the line', () => {
    expect(read('{"kind": "List",\n "items": [}\n')).toMatchObject({
      problems: [{ code: 'NODES_UNREADABLE', place: { file: 'nodes.json', line: 2 }, sourceLine: ' "items": [}' }],
    })
  })

  test('bytes that are no text are refused', () => {
    expect(readClusterFile(new Uint8Array([0xff, 0xfe, 0x00]), 'f')).toMatchObject({
      problems: [{ message: 'f is not text in UTF-8.' }],
    })
  })

  test('a bomb of aliases is refused', () => {
    const bomb = `a: &a [1,1,1,1,1,1,1,1,1,1]\n${[...'bcdefg'].map((name, at) => `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefg'[at]}`).join(',')}]`).join('\n')}\n`
    expect(read(bomb)).toMatchObject({ problems: [{ code: 'NODES_UNREADABLE' }] })
  })
})
