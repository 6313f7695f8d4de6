import { defineConfig } from 'rolldown'

/** What a control plane needs is taken from node_modules as it is: it starts once, and much of it finds its parts by itself. */
const UP_EXTERNAL = /^(?:fastify|pg|@prometheus-io)(?:$|\/)/

/** One small file for the command line, twice: to be run, and to be turned into a startup snapshot. One for `berth up`. */
export default defineConfig([
  {
    input: 'src/entry/up-main.ts',
    platform: 'node',
    external: UP_EXTERNAL,
    output: { file: 'dist/up.mjs', minify: true, codeSplitting: false },
  },
  {
    input: 'src/entry/main.ts',
    platform: 'node',
    output: { file: 'dist/berth.mjs', minify: true, codeSplitting: false },
  },
  {
    input: 'src/entry/warm.ts',
    platform: 'node',
    output: { file: 'dist/warm.cjs', format: 'cjs', minify: true, codeSplitting: false },
  },
])
