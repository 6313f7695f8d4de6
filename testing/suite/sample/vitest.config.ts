import { defineConfig } from 'vitest/config'

// A run of one file, with so much time for it; ../budget-reporter.test.ts looks at how it ends.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: [process.env['SAMPLE_FILE'] ?? ''],
    pool: 'threads',
    retry: 1,
    reporters: [['../budget-reporter.ts', { budgetS: Number(process.env['SAMPLE_BUDGET_S']) }]],
  },
})
