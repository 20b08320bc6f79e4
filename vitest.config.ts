import { availableParallelism } from 'node:os'
import { defineConfig, type Plugin } from 'vitest/config'
import { LongestFirst } from './test/longest-first.sequencer.ts'
import { SlowestFiles } from './test/slowest-files.reporter.ts'

const tests = (...packages: string[]) =>
  packages.flatMap((name) => [`packages/${name}/src/**/*.test.ts`, `packages/${name}/test/**/*.test.ts`])

/** The files that a glob matches are not part of its module, so the cache would miss renamed files. */
const globsAreNotCached: Plugin = {
  name: 'globs-are-not-cached',
  configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) =>
    defineKey(({ sourceCode }) => (sourceCode.includes('import.meta.glob') ? false : undefined)),
}

export default defineConfig({
  test: {
    // Two more than the cores: a test often waits for PostgreSQL, a browser or a process.
    maxWorkers: availableParallelism() + 2,
    // Compiled modules are kept in node_modules for the next run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SlowestFiles()],
    projects: [
      {
        plugins: [globsAreNotCached],
        test: {
          name: 'pure',
          // No module keeps state between two files, so modules are not loaded again for each file.
          isolate: false,
          setupFiles: ['test/laws.setup.ts'],
          include: [
            ...tests('agent', 'cli', 'client', 'contract', 'engine', 'pipeline', 'pricebook', 'simulator', 'web'),
            'test/*.test.ts',
          ],
          // A machine may be slow; a promise may not be broken because of it.
          testTimeout: 240_000,
        },
      },
      {
        // Tests with PostgreSQL, a browser, and the built service where they start processes.
        test: {
          name: 'server',
          // Loading the service takes longer than most files take, so a worker loads it once. A file has a database of
          // its own.
          isolate: false,
          setupFiles: ['test/laws.setup.ts'],
          globalSetup: ['packages/server/test/environment.global.ts'],
          include: tests('server'),
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
