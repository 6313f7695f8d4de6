import { expect, test } from 'vitest'
import { runBeside, type Started } from './beside.ts'

function node(code: string): Started {
  return { argv: [process.execPath, '-e', code] }
}

async function beside(program: string, check: string) {
  const said: string[] = []
  const code = await runBeside(node(program), node(check), (text) => said.push(text))
  return { code, said: said.join('') }
}

test('a check that passes is not heard of', async () => {
  expect(await beside('', 'console.log("all is well")')).toEqual({ code: 0, said: '' })
})

test('one that fails fails the run: with what it printed, and a line at the end', async () => {
  const { code, said } = await beside('', 'console.log("a.ts: wrong"); process.exit(3)')
  expect(code).toBe(3)
  expect(said).toMatch(/^\na\.ts: wrong\n[^]* failed; what it printed is further up\.\n$/)
})

test('a program that fails or is killed fails the run, whatever the check says', async () => {
  expect(await beside('process.exit(7)', '')).toEqual({ code: 7, said: '' })
  expect(await beside('process.kill(process.pid, "SIGKILL")', '')).toEqual({ code: 1, said: '' })
})

test('the program knows whose processor time counts as its own', async () => {
  expect((await beside(`process.exit(process.env.BERTH_RUN === '${process.pid}' ? 0 : 1)`, '')).code).toBe(0)
})
