import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newProvider } from './new-provider/files.ts'

// Begins a provider that rents virtual machines over HTTP: `npm run new:provider NAME`.
const ROOT = join(import.meta.dirname, '..')
const [name = ''] = process.argv.slice(2)

if (!/^[a-z][a-z0-9]{1,30}$/.test(name)) {
  console.error('usage: npm run new:provider NAME\nNAME has 2 to 31 small letters and digits, such as examplecloud.')
  process.exitCode = 64
} else if (existsSync(join(ROOT, 'src/providers', name))) {
  console.error(`src/providers/${name} is there already.`)
  process.exitCode = 1
} else {
  const { files, lines } = newProvider(name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
    console.log(`wrote    ${path}`)
  }
  for (const { path, after, line } of lines) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const at = text.lastIndexOf(after) + after.length
    writeFileSync(join(ROOT, path), `${text.slice(0, at)}${line}${text.slice(at)}`)
    console.log(`changed  ${path}`)
  }
  console.log(`
Now follow docs/guides/add-a-provider.md, from step 3:
  1. api.ts      the calls, with the form of their replies
  2. map.ts      types to offers, orders to bodies, entries to machines
  3. faults.ts   how it refuses, each row with the place where it was seen
  4. testing/clouds/${name}.ts   its pretended other side
  5. docs/providers.md           a section "${name}:" with its settings
  npx vitest run testing/clouds -t ${name}`)
}
