import { tmpdir } from 'node:os'
import { Secret } from '../../../src/ports/secret.ts'
import { awsKind } from '../../../src/providers/aws/kind.ts'
import { launchCall } from '../../../src/providers/contract/bench.suite.ts'
import { readSettings } from '../../../src/providers/settings.ts'
import { depsOf } from '../bench.suite.ts'

// Launches one order, or those of a gang, and ends, to be killed in the middle: node launch-run.ts '{"settings": …, "order": …, "key": …}'

const { settings, order, orders, key } = JSON.parse(process.argv[2] ?? '')
const read = readSettings(awsKind, settings)
if (!read.ok) throw new Error(JSON.stringify(read.problems))
const deps = depsOf({ nowMs: Date.now() }, { folder: tmpdir(), key, logged: [] })
const provider = await awsKind.open('rented', read.settings, { ...deps, credential: async () => new Secret(key) })
const answer =
  orders === undefined ? provider.launch(order, launchCall()) : provider.launchGroup?.(orders, launchCall())
console.log(JSON.stringify(await answer))
