import { expect, test } from 'vitest'
import type { AuditView } from '../../ports/berth.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words } from '../harness.suite.ts'
import { emptyPlane } from '../planes.suite.ts'

/** One that was changed in two projects. */
async function changed() {
  const control = emptyPlane()
  const world = { control: () => control }
  for (const [at, project] of ['default', 'default', 'lab'].entries()) {
    const text = MANIFEST.replace('llama-70b', `w${at}`)
    await control.apply({ project, text, file: 'w', create_project: true, idempotencyKey: `k${at}` })
  }
  const run = (line: string) => berth(words(`audit ${line}`), world)
  const found = async (line: string): Promise<readonly AuditView[]> => JSON.parse((await run(`${line} -o json`)).out)
  return { run, found }
}

test('shows the newest entries first, page by page, filtered by the control plane', async () => {
  const { run, found } = await changed()
  const applied = await found('--action apply')
  expect(applied.map(({ project, subject }) => `${project} ${subject}`)).toEqual([
    'lab workload/w2',
    'default workload/w1',
    'default workload/w0',
  ])
  expect(await found('--action apply --project lab')).toEqual(applied.slice(0, 1))
  expect(await found(`--action apply --tail 2 --before ${applied[0]?.seq}`)).toEqual(applied.slice(1))
  expect(await found(`--action apply --actor ${applied[0]?.actor} --all`)).toEqual(applied)
  expect(await found('--actor nobody')).toEqual([])
  expect(await found('--action apply --since 1s')).toEqual(applied)

  const { code, out } = await run('--action apply --tail 2')
  expect(code).toBe(EXIT.ok)
  expect(out).toMatch(/^ *WHEN +WHO +ACTION +PROJECT +WHAT +DETAILS\n/)
  expect(out).toMatch(/now +\S+ +apply +lab +workload\/w2 .*generation=1/)
  expect(out).toContain(`\nOlder:  berth audit --action apply --tail 2 --before ${applied[1]?.seq}\n`)
  expect((await run('--since 2h --tail 1')).out).toContain('berth audit --since 7200s --tail 1 --before')
  expect((await run('--actor nobody')).out).toBe('No entry matches.\n')
})
