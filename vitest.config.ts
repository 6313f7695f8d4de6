import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'testing/**/*.test.ts', 'bench/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
})
