import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sized } from '../../src/core/base/laws.suite.ts'
import { RealPlane, until } from '../plane/plane.ts'
import { ROOT } from './files.ts'

// Every shell block of the guides, and every command of the README that needs no price lists, run as written against one
// control plane. A comment before a block says what is not run and why, or how it has to end.

const folder = mkdtempSync(join(tmpdir(), 'berth-guides-'))
const plane = new RealPlane({ folder: join(folder, 'data'), config: join(ROOT, 'examples/keep/berth.config.yaml') })

beforeAll(async () => {
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'))
  expect(await plane.start()).toBe(true)
}, 60_000)
afterAll(async () => {
  await removeEverything()
  await plane.kill()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

interface Block {
  readonly title: string
  readonly script: string
  readonly exitCode: number
}

interface Page {
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly blocks: readonly Block[]
}

const SHORT = ['guides/templates-and-secrets.md', 'providers.md']

describe.each(sized({ quick: SHORT, whole: ['guides/first-week.md', ...SHORT] }))('docs/%s', (name) => {
  const page = read(readFileSync(join(ROOT, 'docs', name), 'utf8'))

  test('has commands that are run', () => expect(page.blocks.length).toBeGreaterThan(0))

  test('runs as it is written', { timeout: 900_000 }, async () => {
    for (const file of page.files) writeFileSync(join(folder, file.name), file.text)
    for (const { script, exitCode, title } of page.blocks) {
      const ran = await shell(script, folder)
      expect(ran.code, `${title}\n${ran.said}`).toBe(exitCode)
    }
  })
})

test('the README’s commands run as they are written', { timeout: 120_000 }, async () => {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const commands = [...text.matchAll(/^\$ (bin\/berth .*)$/gm)].map(([, command = '']) => command)
  expect(commands.length).toBeGreaterThan(2)
  for (const command of commands) {
    const ran = await shell(command, ROOT)
    expect(ran.code, `${command}\n${ran.said}`).toBe(0)
  }
  await shell('berth rm hello --yes', folder)
})

test('every guide marks what it has a shell run', () => {
  const guides = readdirSync(join(ROOT, 'docs/guides')).filter((name) => name.endsWith('.md'))
  for (const name of guides) {
    const text = readFileSync(join(ROOT, 'docs/guides', name), 'utf8')
    expect([...text.matchAll(/^\$ berth /gm)], name).toEqual([])
  }
})

/** Workloads outlive their control plane, so nothing may be left when it is killed. */
async function removeEverything(): Promise<void> {
  await until('every workload is removed', { withinMs: 60_000 }, async () => {
    const { said } = await shell('berth ps -A -o json', folder)
    const workloads: readonly { readonly name: string; readonly project: string }[] = JSON.parse(said)
    for (const { name, project } of workloads) await shell(`berth rm ${name} --project ${project} --yes`, folder)
    return workloads.length === 0 ? { found: undefined } : said
  })
}

/** Fenced blocks: YAML with its name in the first line becomes a file, `sh` is run. */
function read(text: string): Page {
  const fences = [...text.matchAll(/(?:<!-- (not run|exit (\d+)): [^>]*-->\n)?```(\w+)\n([\s\S]*?)```\n/g)]
  const files = fences.flatMap(([, , , kind, body = '']) => {
    const name = kind === 'yaml' ? /^# (\S+\.yaml)\n/.exec(body)?.[1] : undefined
    return name === undefined ? [] : [{ name, text: body }]
  })
  const blocks = fences.flatMap(([, mark, code, kind, body = '']) =>
    kind !== 'sh' || mark === 'not run' ? [] : [{ title: body.trim(), script: body, exitCode: Number(code ?? 0) }],
  )
  return { files, blocks }
}

/** In a shell of its own that stops at the first failure, with what is to be secret in variables. */
function shell(script: string, cwd: string): Promise<{ readonly code: number; readonly said: string }> {
  const env = {
    ...process.env,
    PATH: [join(ROOT, 'bin'), process.env['PATH']].join(delimiter),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'data', 'config'),
    HF_TOKEN: 'hf-sample',
  }
  const child = spawn('sh', ['-e', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? -1, said }))
  })
}
