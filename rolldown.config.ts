import { defineConfig, type RolldownOptions } from 'rolldown'

/** What a control plane needs is taken from node_modules as it is: it starts once, and much of it finds its parts by itself. */
const UP_EXTERNAL = /^(?:fastify|pg|@prometheus-io|@aws-sdk)(?:$|\/)/

/** Commands check the settings of providers and open none: that is for the control plane, which has its own copy. */
const CLI_EXTERNAL = /(?:^|\/)open\.ts$/

/** One file for each program and each thread; the command line a second time, to be turned into a startup snapshot. */
export default defineConfig([
  bundle('src/entry/up-main.ts', 'up.mjs', { external: UP_EXTERNAL }),
  bundle('src/entry/gateway-main.ts', 'gateway.mjs', { external: CLI_EXTERNAL }),
  bundle('src/up/parse-worker.ts', 'parse-worker.mjs'),
  bundle('src/store/sqlite/writer-worker.ts', 'writer-worker.mjs'),
  bundle('src/entry/main.ts', 'berth.mjs', { external: CLI_EXTERNAL }),
  // Its WebAssembly lies beside it in the package.
  bundle('src/solver/worker.ts', 'solver-worker.mjs', { external: 'highs' }),
  bundle('src/entry/warm.ts', 'warm.cjs', { external: CLI_EXTERNAL }),
  // Other programs have their own copies of these.
  bundle('src/entry/library.ts', 'library.mjs', { external: ['zod', 'yaml'] }),
])

function bundle(input: string, name: string, { external }: Pick<RolldownOptions, 'external'> = {}): RolldownOptions {
  const output = { file: `dist/${name}`, format: name.endsWith('.cjs') ? 'cjs' : 'esm' } as const
  return {
    input,
    platform: 'node',
    ...(external !== undefined && { external }),
    output: { ...output, minify: true, codeSplitting: false },
  }
}
