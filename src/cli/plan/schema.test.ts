import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { EXIT } from '../cli.ts'
import { berth } from '../harness.suite.ts'

describe('berth schema', () => {
  test.each([
    [[], 'Berth manifest, version 1', 'resources'],
    [['manifest'], 'Berth manifest, version 1', 'resources'],
    [['config'], 'berth.config.yaml', 'policies'],
    [['inventory'], 'Berth inventory', 'offers'],
    [['fleet'], 'Berth fleet', 'nodes'],
    [['template'], 'Berth launch template, version 1', 'parameters'],
  ])('%j is a JSON Schema', async (argument, title, key) => {
    const { code, out, err } = await berth(['schema', ...argument])
    expect(code).toBe(EXIT.ok)
    expect(err).toBe('')
    const schema = JSON.parse(out)
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, type: 'object' })
    expect(Object.keys(schema.properties)).toContain(key)
  })

  test('comes as YAML too', async () => {
    const [json, yaml] = await Promise.all([berth(['schema', '-o', 'json']), berth(['schema', '-o', 'yaml'])])
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out))
  })

  test('knows the scores and requirements a policy may name', async () => {
    const { out } = await berth(['schema', 'config'])
    expect(out).toContain('"reliability"')
    expect(out).toContain('"interconnect"')
  })

  test('requires what validate requires', async () => {
    const schema = JSON.parse((await berth(['schema'])).out)
    expect(schema.required).toEqual(['berth', 'kind', 'name', 'image'])
    expect(schema.anyOf).toEqual([{ required: ['resources'] }, { required: ['roles'] }])
  })

  test('a template may have a place wherever a manifest has a value', async () => {
    const { properties } = JSON.parse((await berth(['schema', 'template'])).out)
    expect(properties.replicas.anyOf.at(-1)).toEqual({ type: 'string', pattern: '\\$\\{[a-z][a-z0-9_]*\\}' })
  })

  test('another file is refused with those there are', async () => {
    const { code, err } = await berth(['schema', 'plan'])
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Allowed choices are manifest, template, config, inventory, fleet.')
  })

  test('help tells how to hook it into an editor', async () => {
    const { out } = await berth(['schema', '--help'])
    expect(out).toContain('# yaml-language-server: $schema=./berth.schema.json')
  })
})
