import { defineConfig } from 'vitest/config'
import { PROJECTS } from './testing/suite/projects.ts'

export default defineConfig({
  test: {
    projects: PROJECTS,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    reporters: ['default', './testing/suite/budget-reporter.ts'],
  },
})
