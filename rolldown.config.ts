import { defineConfig } from 'rolldown'

/** One small file for the command line, twice: to be run, and to be turned into a startup snapshot. */
export default defineConfig([
  { input: 'src/main.ts', platform: 'node', output: { file: 'dist/berth.mjs', minify: true, codeSplitting: false } },
  {
    input: 'src/warm.ts',
    platform: 'node',
    output: { file: 'dist/warm.cjs', format: 'cjs', minify: true, codeSplitting: false },
  },
])
