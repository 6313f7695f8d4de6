import { defineConfig } from 'vitest/config'
import { COMPILED } from './testing/suite/compiled.ts'
import { LongestFirst } from './testing/suite/order.ts'
import { ENGINES_PROJECT, PROJECTS } from './testing/suite/projects.ts'

// For what tests start when this is run by itself.
process.env['NODE_COMPILE_CACHE'] ??= COMPILED.NODE_COMPILE_CACHE

export default defineConfig({
  test: {
    projects: process.env['BERTH_TESTS'] === 'engines' ? [ENGINES_PROJECT] : PROJECTS,
    sequence: { sequencer: LongestFirst },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    reporters: ['default', './testing/suite/budget-reporter.ts'],
  },
})
