import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const tests = (...packages: string[]) =>
  packages.flatMap((name) => [`packages/${name}/src/**/*.test.ts`, `packages/${name}/test/**/*.test.ts`])

export default defineConfig({
  test: {
    // Every core: tests wait for PostgreSQL as much as they compute.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'pure',
          // No module keeps anything between two files, so none is loaded anew for each.
          isolate: false,
          setupFiles: ['test/laws.setup.ts'],
          include: tests('agent', 'contract', 'engine', 'pipeline', 'pricebook', 'simulator', 'web'),
          // A machine may be slow; a promise may not be broken because of it.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          // Loading the service takes longer than most files take: it is loaded once for each worker. What a file makes is its
          // own, with a database of its own.
          isolate: false,
          setupFiles: ['test/laws.setup.ts'],
          include: tests('server'),
          globalSetup: ['scratch', 'build', 'postgres'].map((each) => `packages/server/test/${each}.global.ts`),
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
