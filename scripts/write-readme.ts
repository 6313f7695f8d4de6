// Writes the outputs that README.md shows from real runs: npm run readme -- [CATALOGUES=../shared/data/catalog]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepPage } from './readme-keep.ts'

const root = join(import.meta.dirname, '..')
const catalogues = process.argv[2] ?? join(root, '../shared/data/catalog')
const folder = mkdtempSync(join(tmpdir(), 'berth-readme-'))

const COUPLED = `berth: v1
kind: job
name: train-big
image: ghcr.io/acme/trainer:2.4
resources:
  gpu: { count: 8 }
instance_type: p4d.24xlarge
chekpoint: { path: /ckpt, every: 30m }
`

/** The command as a reader would type it, and what it printed. */
function shown(line: string, argv: readonly string[]): string {
  const { stdout, stderr } = spawnSync(join(root, 'bin/berth'), argv, { cwd: folder, encoding: 'utf8' })
  return ['```', `$ ${line}`, `${stdout}${stderr}`.trimEnd(), '```'].join('\n')
}

function between(text: string, name: string, content: string): string {
  const pattern = new RegExp(`(<!-- ${name}:begin[^>]*-->\\n)[^]*?(<!-- ${name}:end -->)`)
  return text.replace(pattern, (_, begin: string, end: string) => `${begin}\n${content}\n\n${end}`)
}

try {
  const manifest = readFileSync(join(root, 'examples/llama-70b.yaml'), 'utf8').replace(/^policy:.*\n/m, '')
  writeFileSync(join(folder, 'llama-70b.yaml'), manifest)
  writeFileSync(join(folder, 'train.yaml'), COUPLED)
  spawnSync(
    join(root, 'bin/berth'),
    ['offers', 'import', '--offers', catalogues, '--to', join(folder, 'clouds.snapshot')],
    { stdio: 'inherit' },
  )
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const plan = shown('berth plan llama-70b.yaml --offers clouds.snapshot', [
    'plan',
    'llama-70b.yaml',
    '--offers',
    'clouds.snapshot',
  ])
  const coupled = shown('berth plan train.yaml --offers clouds.snapshot', [
    'plan',
    'train.yaml',
    '--offers',
    'clouds.snapshot',
  ])
  const pages = { plan, coupled, keep: await keepPage(root) }
  const written = Object.entries(pages).reduce((text, [name, content]) => between(text, name, content), readme)
  writeFileSync(join(root, 'README.md'), written)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
