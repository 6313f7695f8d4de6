import { expect, test } from 'vitest'
import { filesWithout } from './left-out.ts'

const FILES = [
  { path: 'aws', text: "// python: ['moto']" },
  { path: 'ray', text: "const rig = { engines: ['kuberay'], python: ['ray'] }" },
  { path: 'kai', text: "startRig({ engines: ['kube', 'kai'] })" },
  { path: 'kube', text: 'startRig()' },
]

const out = (engines: readonly string[], servers: readonly string[]) =>
  filesWithout(FILES, { engines, servers }).map(({ path }) => path)

test('a file is left out if an engine or a server that it asks for is not there', () => {
  expect(out([], [])).toEqual([])
  expect(out(['kai'], [])).toEqual(['kai'])
  expect(out(['kuberay'], ['moto'])).toEqual(['aws', 'ray'])
  expect(out([], ['ray'])).toEqual(['ray'])
})
