import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import { differenceOf } from './difference.ts'

function differ(before: string, after: string): readonly string[] {
  const [one, two] = [before, after].map((text) => {
    const read = readYaml(text, 'm.yaml')
    if ('problems' in read) throw new Error('the text is YAML')
    return read.document.root
  })
  if (one === undefined || two === undefined) throw new Error('there are two')
  return differenceOf(one, two).map(({ field, from, to }) => `${field}: ${from ?? '-'} → ${to ?? '-'}`)
}

describe('what two manifests say differently', () => {
  test('is listed field by field, with the values as written', () => {
    expect(
      differ(
        'name: a\nresources: { gpu: { count: 1, min_vram: 16Gi } }\nreplicas: 2\n',
        'name: a\nresources: { gpu: { count: 1, min_vram: 20Gi } }\nenv: { MODEL: x }\n',
      ),
    ).toEqual(['resources.gpu.min_vram: 16Gi → 20Gi', 'env.MODEL: - → x', 'replicas: 2 → -'])
  })

  test('comments and the order of keys are no difference', () => {
    expect(differ('name: a # one\nkind: job\n', 'kind: job\nname: a\n')).toEqual([])
  })

  test('words are compared as a whole, ports and volumes by their names', () => {
    expect(differ('command: [a, b]', 'command: [a, c]')).toEqual(['command: [a, b] → [a, c]'])
    expect(
      differ(
        'ports: [{ name: http, port: 80 }, { name: rpc, port: 81 }]\nstorage: [{ mount: /a, size: 1Gi }]',
        'ports: [{ name: rpc, port: 82 }, { name: http, port: 80 }]\nstorage: [{ mount: /a, size: 2Gi }]',
      ),
    ).toEqual(['ports.rpc.port: 81 → 82', 'storage./a.size: 1Gi → 2Gi'])
  })

  test('is bounded, however long and many the values are', () => {
    const many = Array.from({ length: 300 }, (_, at) => `  V${at}: ${'x'.repeat(300)}\n`).join('')
    const told = differ('name: a\nenv: {}\n', `name: a\nenv:\n${many}`)
    expect(told).toHaveLength(200)
    expect(Math.max(...told.map((line) => line.length))).toBeLessThan(230)
  })
})
