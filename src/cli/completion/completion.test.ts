import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Berth } from '../../ports/berth.ts'
import { CODES } from '../../codes/codes.ts'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth } from '../harness.suite.ts'

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0
}

/** What bash offers for the last of the words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await berth(['completion', 'bash'])
  const line = words.map((word) => `'${word}'`).join(' ')
  const script = `${out}\nCOMP_WORDS=(berth ${line}); COMP_CWORD=${words.length}; _berth; echo "\${COMPREPLY[@]}"`
  const ran = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  return ran.stdout.trim().split(' ').filter(Boolean)
}

describe.skipIf(!has('bash'))('completion in bash', () => {
  test('offers the commands', async () => {
    expect(await offered('')).toEqual(
      expect.arrayContaining(['plan', 'validate', 'explain', 'offers', 'replay', 'diff']),
    )
    expect(await offered('va')).toEqual(['validate'])
    expect(await offered('offers', '')).toEqual(['list', 'search', 'history', 'check', 'import'])
  })

  test('offers the flags of the command', async () => {
    expect(await offered('plan', 'x.yaml', '--o')).toEqual(['--offers', '--optimal', '--output'])
    expect(await offered('offers', 'search', '--min-v')).toEqual(['--min-vram'])
    expect(await offered('--')).toEqual(['--version', '--help'])
    expect(await offered('offers', 'search', '--spot', '--li')).toEqual(['--limit'])
  })

  test('offers the values of flags and arguments', async () => {
    expect(await offered('plan', 'x.yaml', '-o', '')).toEqual(['text', 'json', 'yaml'])
    expect(await offered('offers', 'list', '--sort', 'pro')).toEqual(['provider'])
    expect(await offered('schema', 'c')).toEqual(['config'])
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })

  test('offers codes to explain', async () => {
    expect(await offered('explain', '')).toEqual(CODES.map(({ code }) => code))
    expect(await offered('explain', 'NO_N')).toEqual(['NO_NVLINK'])
  })

  test('leaves files to the shell', async () => {
    expect(await offered('plan', '')).toEqual([])
    expect(await offered('plan', 'x.yaml', '--offers', '')).toEqual([])
    const { out } = await berth(['completion', 'bash'])
    expect(out).toContain('complete -o default -F _berth berth')
    expect(out).toContain("'berth plan --offers') return ;;")
    expect(out).toContain("'berth offers list --limit') compopt +o default")
  })
})

describe.skipIf(!has('bash'))('names in bash', () => {
  /** A berth on the PATH that answers what the real command would. */
  async function named(kind: string, ...words: readonly string[]): Promise<readonly string[]> {
    const { out } = await berth(['completion', 'bash'])
    const { out: names } = await berth(['__complete', kind, '--', ...words], { control: furnishedPlane })
    const line = words.map((word) => `'${word}'`).join(' ')
    const script = `berth() { if [ "$1 $2" = '__complete ${kind}' ]; then printf '%s' '${names}'; fi; }
${out}
COMP_WORDS=(berth ${line}); COMP_CWORD=${words.length}; _berth; echo "\${COMPREPLY[@]}"`
    const ran = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    return ran.stdout.trim().split(' ').filter(Boolean)
  }

  test.each([
    ['workload', ['get', ''], ['llama-70b']],
    ['workload', ['logs', 'll'], ['llama-70b']],
    ['workload', ['rm', 'x'], []],
    ['workload', ['explain', 'llama'], ['llama-70b']],
    ['provider', ['provider', 'rm', ''], ['northwind']],
    ['provider', ['drain', 'n'], ['northwind']],
    ['template', ['launch', ''], ['chat']],
    ['secret', ['secret', 'rm', ''], ['HF_TOKEN']],
    ['project', ['ps', '--project', 'd'], ['default']],
    ['context', ['ps', '--context', ''], ['here']],
  ])('a %s: berth %s', async (kind, line, names) => {
    expect(await named(kind, ...line)).toEqual(names)
  })

  test('architectures', async () => {
    expect(await offered('offers', 'search', '--arch', 'hop')).toEqual(['hopper'])
  })
})

describe('berth __complete', () => {
  test('asks the control plane that the line names, once, and for a moment', async () => {
    const line = ['__complete', 'workload', '--', 'get', '--url', 'http://x.example', '--project', 'default']
    const { out, targets } = await berth(line, { control: furnishedPlane })
    expect(out).toBe('llama-70b\n')
    expect(targets).toMatchObject([{ url: 'http://x.example', timeoutMs: 250, tries: 1 }])
  })

  test('prints nothing when no control plane answers or is known', async () => {
    const control = furnishedPlane()
    await control.lose(1)
    for (const world of [{ control: () => control }, { env: {} }])
      expect(await berth(['__complete', 'workload'], world)).toMatchObject({ out: '', err: '', code: EXIT.ok })
  })

  test('gives shells nothing that they would expand', async () => {
    const odd = furnishedPlane()
    const control = (): Berth => ({ ...odd, policies: async () => [{ ...POLICY, name: '$(reboot)' }, POLICY] })
    expect((await berth(['__complete', 'policy'], { control })).out).toBe('cheap\n')
  })

  test('is not listed', async () => {
    expect((await berth(['--help'])).out).not.toContain('__complete')
    expect((await berth(['completion', 'fish'])).out).not.toContain('-a __complete')
  })
})

const POLICY = { name: 'cheap', origin: 'api', settings: {} } as const

describe('berth completion', () => {
  test.each(['bash', 'zsh', 'fish'])('prints a script for %s that the shell can read', async (shell) => {
    const { code, out, err } = await berth(['completion', shell])
    expect(code).toBe(EXIT.ok)
    expect(err).toBe('')
    expect(out).toContain('NO_NVLINK')
    if (!has(shell)) return
    const ran = spawnSync(shell, [shell === 'fish' ? '--no-execute' : '-n'], { input: out, encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    expect(ran.status).toBe(0)
  })

  test('zsh completes files where files are meant', async () => {
    const { out } = await berth(['completion', 'zsh'])
    expect(out.startsWith('#compdef berth\n')).toBe(true)
    expect(out).toContain("'berth plan --offers') _files; return ;;")
    expect(out).toContain("'berth plan') _files; return ;;")
  })

  test('fish gets a description with every word', async () => {
    const { out } = await berth(['completion', 'fish'])
    expect(out).toContain(
      "complete -c berth -n '__fish_seen_subcommand_from schema' -f -a 'manifest template config inventory fleet'",
    )
    expect(out).toMatch(
      /-n '__fish_seen_subcommand_from offers; and __fish_seen_subcommand_from list' -l sort -r -f -a 'price provider' -d '/,
    )
    expect(out).toMatch(/-n 'not __fish_seen_subcommand_from .*' -f -a validate -d 'check manifests/)
    expect(out).toContain("-n '__fish_seen_subcommand_from plan' -F\n")
  })

  test('another shell is refused', async () => {
    const { code, err } = await berth(['completion', 'tcsh'])
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Allowed choices are bash, zsh, fish.')
  })
})
