import { defineConfig } from 'vitest/config'

// A run of one test, with no time for it; ../budget-reporter.test.ts looks at how it ends.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['waits.sample.ts'],
    pool: 'threads',
    reporters: [['../budget-reporter.ts', { budgetS: Number(process.env['SAMPLE_BUDGET_S']) }]],
  },
})
