import { defineConfig } from 'vitest/config'
import { ENGINES_PROJECT, PROJECTS } from './testing/suite/projects.ts'

export default defineConfig({
  test: {
    projects: process.env['BERTH_TESTS'] === 'engines' ? [ENGINES_PROJECT] : PROJECTS,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    reporters: ['default', './testing/suite/budget-reporter.ts'],
  },
})
