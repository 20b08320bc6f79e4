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
type Shared = { environment: Promise<Environment>; users: number }

/** Each project loads this module separately, so shared values are stored in the process. */
const key = Symbol.for('plimsoll.test-environment')
const globals = globalThis as { [key]?: Shared }

/** Scratch space, the built service and one PostgreSQL, shared by the projects that need a service. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const shared = (globals[key] ??= { environment: openEnvironment(), users: 0 })
  shared.users += 1
  const { postgresUrl, postgresSocketUrl, close } = await shared.environment
  project.provide('postgresUrl', postgresUrl)
  project.provide('postgresSocketUrl', postgresSocketUrl)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    delete globals[key]
    await close()
  }
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
