import type { TestProject } from 'vitest/node'
import { buildService } from './environment-build.ts'
import { startPostgres } from './environment-postgres.ts'
import { chooseScratch } from './environment-scratch.ts'

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- declaration merging needs an interface
  interface ProvidedContext {
    postgresUrl: string
    postgresSocketUrl: string
  }
}

type Environment = { postgresUrl: string; postgresSocketUrl: string; close: () => Promise<void> }

/** Scratch space, the built service and one PostgreSQL for all test files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { postgresUrl, postgresSocketUrl, close } = await openEnvironment()
  project.provide('postgresUrl', postgresUrl)
  project.provide('postgresSocketUrl', postgresSocketUrl)
  return close
}

async function openEnvironment(): Promise<Environment> {
  const removeScratch = await chooseScratch()
  const [started, built] = await Promise.allSettled([startPostgres(), buildService()])
  const close = async () => {
    if (started.status === 'fulfilled') await started.value.stop()
    await removeScratch?.()
  }
  if (started.status === 'rejected' || built.status === 'rejected') {
    await close()
    throw started.status === 'rejected' ? started.reason : (built as PromiseRejectedResult).reason
  }
  const postgres = started.value
  return { postgresUrl: postgres.url, postgresSocketUrl: postgres.socketUrl, close }
}
