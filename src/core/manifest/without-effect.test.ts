import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import { parseManifest } from './parse.ts'
import { BASE, CPU } from './manifests.suite.ts'

/** `LINE:COLUMN names` of the warnings about a service, or about a job. */
function warned(rest: string, kind = 'service'): readonly string[] {
  const read = readYaml(`${BASE}${CPU}${rest}`.replace('service', kind), 'm.yaml')
  const parsed = 'document' in read ? parseManifest(read.document) : read
  if ('problems' in parsed) throw new Error(parsed.problems.map(({ message }) => message).join('\n'))
  return parsed.warnings.map(({ code, message, hint, place }) => {
    expect([code, typeof hint]).toEqual(['NO_EFFECT_YET', 'string'])
    return `${place?.line}:${place?.column} ${/^(.*) ha(?:s|ve) no effect(?: yet)?: [`\w].*\.$/.exec(message)?.[1]}`
  })
}

describe('what a manifest states without effect', () => {
  test.each([
    ['replicas: { min: 1, max: 3 }', ['6:21 `replicas.max`']],
    ['replicas: { min: 1, max: 3, target: { rps: 2 } }', ['6:21 `replicas.max`, `replicas.target`']],
    ['replicas: { min: 2, max: 2, target: { queue: 2 } }', ['6:29 `replicas.target`']],
    [
      'roles: { a: { replicas: { min: 1, max: 2 } }, b: { reserve: 1 } }',
      ['6:35 `roles.a.replicas.max`', '6:52 `roles.b.reserve`'],
    ],
    ['restart: { class: inference, max: 2 }', ['6:12 `restart.class`']],
    ['migration: { price_drop: 25% }', ['6:14 `migration.price_drop`']],
    ['migration: { on: [price_drop], price_drop: 25% }', ['6:19 `migration.on: price_drop`, `migration.price_drop`']],
  ])('%s', (rest, warnings) => {
    expect(warned(`${rest}\n`)).toEqual(warnings)
  })

  test('routing has an effect in services alone, and never will have one in jobs', () => {
    const routing = 'routing: { affinity: prefix, hedge: 95% }\n'
    expect(warned(`ports: [{ name: http, port: 80 }]\n${routing}`)).toEqual([])
    expect(warned(routing, 'job')).toEqual(['6:12 `routing.affinity`, `routing.hedge`'])
  })

  test('the warning about a checkpoint appears once', () => {
    expect(warned('checkpoint: { path: /c, every: 5m }\n', 'job')).toEqual([
      '6:15 `checkpoint.path`, `checkpoint.every`',
    ])
  })

  test.each([
    ['{ mount: /c, from: s3://b, mode: rw }', 0],
    ['{ mount: /, from: s3://b, mode: rw }', 0],
    ['{ mount: /c, from: s3://b, mode: ro }', 1],
    ['{ mount: /c, size: 1Gi, mode: rw }', 1],
    ['{ mount: /cc, from: s3://b, mode: rw }', 1],
  ])('a checkpoint has an effect in storage that outlives the machine: %s', (storage, warnings) => {
    const rest = `storage: [${storage}]\ncheckpoint: { path: /c/d, every: 5m }\n`
    expect(warned(rest, 'job')).toHaveLength(warnings)
  })

  test.each([
    ['migration: { on: [drain, outage] }\n', 'job', ['6:26 `migration.on: outage`']],
    ['migration: { on: [outage], grace: 5m }\n', 'job', ['6:19 `migration.on: outage`, `migration.grace`']],
    [
      'storage: [{ mount: /d, from: s3://b, mode: rw }]\nmigration: { grace: 5m }\n',
      'service',
      ['7:14 `migration.grace`'],
    ],
    ['storage: [{ mount: /d, from: s3://b, mode: ro }]\nmigration: { on: [outage] }\n', 'service', []],
  ])('an outage moves only what may run beside its predecessor: %s', (rest, kind, warnings) => {
    expect(warned(rest, kind)).toEqual(warnings)
  })

  test('in the order of the file', () => {
    const lines = warned('restart: { class: inference }\nreplicas: { min: 1, max: 2 }\n')
    expect(lines.map((line) => line.split(':')[0])).toEqual(['6', '7'])
  })

  test.each(['', 'replicas: 3', 'replicas: { min: 3, max: 3 }', 'restart: { max: 1 }', 'migration: { on: [drain] }'])(
    'what is left out, or acted on, is not warned of: %s',
    (rest) => {
      expect(warned(`${rest}\n`)).toEqual([])
    },
  )
})
