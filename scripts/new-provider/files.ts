import { join } from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'

/** A line that goes into a file that exists, behind the last such text. */
interface NewLine {
  readonly path: string
  readonly after: string
  readonly line: string
}

interface NewProvider {
  readonly files: Readonly<Record<string, string>>
  readonly lines: readonly NewLine[]
}

const TEMPLATES = join(import.meta.dirname, 'templates')
/** The template of the pretended cloud, which lies with the tests. */
const FAKE = 'fake.txt'

/** All that a new provider begins with: its folder, its pretended other side, and a line in each registry. */
export function newProvider(name: string): NewProvider {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const filled = (file: string): string =>
    readFileSync(join(TEMPLATES, file), 'utf8')
      .replaceAll('__NAME__', name)
      .replaceAll('__TITLE__', title)
      .replaceAll('__CAPITALS__', name.toUpperCase())
  const own = readdirSync(TEMPLATES).filter((file) => file !== FAKE)
  return {
    files: {
      ...Object.fromEntries(own.map((file) => [`src/providers/${name}/${file.replace('.txt', '.ts')}`, filled(file)])),
      [`testing/clouds/${name}.ts`]: filled(FAKE),
    },
    lines: linesFor(name, title),
  }
}

function linesFor(name: string, title: string): readonly NewLine[] {
  const [registry, replies, cases] = [
    'src/providers/registry.ts',
    'src/providers/replies.ts',
    'testing/clouds/cases.ts',
  ] as const
  return [
    { path: registry, after: "/kind.ts'\n", line: `import { ${name}Kind } from './${name}/kind.ts'\n` },
    { path: registry, after: 'Kind,\n', line: `  ${name}Kind,\n` },
    { path: replies, after: "/faults.ts'\n", line: `import { classify${title} } from './${name}/faults.ts'\n` },
    { path: replies, after: `: classifyYotta,\n`, line: `  ${name}: classify${title},\n` },
    { path: cases, after: "/kind.ts'\n", line: `import { ${name}Kind } from '../../src/providers/${name}/kind.ts'\n` },
    { path: cases, after: "./yotta.ts'\n", line: `import { fake${title} } from './${name}.ts'\n` },
    {
      path: cases,
      after: '\n  },\n',
      line: `  ${name}: { kind: ${name}Kind, vendor: fake${title}, spec: { file: '${name}.json' } },\n`,
    },
  ]
}
