import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { rateLimits } from '@plimsoll/contract'
import { parsePriceBook } from '@plimsoll/pricebook'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type pg from 'pg'
import { buildApp, type AppDeps } from './app.ts'
import { Passwords } from './platform/auth/passwords.ts'
import { Secrets } from './platform/auth/secrets.ts'
import { Tokens } from './platform/auth/tokens.ts'
import type { Config } from './platform/config.ts'
import { demandUsableDatabase, explainRefusal, openDatabase, openPool, type Db } from './platform/db/database.ts'
import { DiskSpace } from './platform/db/disk-space.ts'
import { migrate } from './platform/db/migrate.ts'
import { writeBuiltInRoles } from './platform/auth/queries/roles.ts'
import type { Deps } from './platform/deps.ts'
import { migrationsDirectory, priceBookFile } from './directories.ts'
import { BackgroundDelivery } from './channels/background-delivery.ts'
import { FiguresThread } from './costs/figures-thread.ts'
import { FocusProcess } from './exports/focus-process.ts'
import { IncidentsThread } from './monitoring/incidents/incidents-thread.ts'
import { demandPasswordAdmin, endPasswordSessions, provideFirstAdmin, type FirstAdmin } from './people/first-admin.ts'
import { makeMetrics } from './platform/http/metrics.ts'
import { makeMetricsServer } from './platform/http/metrics-server.ts'
import { AnalysisProcess } from './recommendations/analysis/analysis-process.ts'
import { openFoldThreads } from './ingest/jobs/fold-threads.ts'
import { demandListenerKey, listenForOpencost, makeOpencostServer } from './opencost/opencost-listener.ts'
import { prepareJobs } from './job-handlers.ts'
import { runJobs } from './job-connections.ts'
import { openPriceBooks } from './prices/price-books.ts'
import { StartupError } from './platform/startup-error.ts'

const closingMsMax = 20_000

/** The first key seals; a later one may have sealed existing secrets. None: the secrets are not sealed. */
export type ServiceConfig = Config & {
  databaseUrl: string
  secretKeys: readonly string[]
  /** Undefined: not the embedded database. */
  embeddedDataDir?: string
}

export type Service = { firstAdmin: FirstAdmin; stop: () => Promise<void> }

/** Opens all resources in order; on a failure, the opened ones are closed in reverse. */
export async function startService(config: ServiceConfig, log: FastifyBaseLogger, now: () => Date): Promise<Service> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const pool = openPool(config.databaseUrl, { connectionsMax: config.connectionsMax }, log)
    closers.push(() => pool.end())
    const holder = randomUUID()
    const deps = await openDeps({ config, pool, log, now, holder })
    closers.push(() => deps.folding.close())
    closers.push(() => deps.analysing.close())
    closers.push(() => deps.previewing.close())
    closers.push(() => deps.delivering.close())
    closers.push(() => deps.monitoring.close())
    closers.push(() => deps.figuring.close())
    closers.push(() => deps.exporting.close())
    const firstAdmin = await provideFirstAdmin(deps, config.admin)
    await demandPasswordAdmin(deps)
    await endPasswordSessions(deps)
    // The ports first: a start that fails on one of them has changed nothing.
    if (config.role !== 'worker') await serve(config, deps, closers)
    if (config.metricsListen) closers.push(await serveMetrics(config.metricsListen, deps))
    if (config.role !== 'api') closers.push(await runJobs(deps, { databaseUrl: config.databaseUrl, holder }))
    return { firstAdmin, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Opening = {
  config: ServiceConfig
  pool: pg.Pool
  log: FastifyBaseLogger
  now: () => Date
  /** The name under which this replica holds fold states. */
  holder: string
}

async function openDeps({ config, pool, log, now, holder }: Opening): Promise<AppDeps> {
  const db = openDatabase(pool)
  await demandUsableDatabase(db, config.databaseUrl)
  await prepareDatabase(db, pool, now()).catch((error: unknown) => {
    throw explainRefusal(config.databaseUrl, error)
  })
  const secrets = await Secrets.open({ db, now, passphrases: config.secretKeys })
  const bytes = await readFile(priceBookFile)
  const { publicUrl, agentImage, corsOrigins, trustedProxies, outboundNetworks, smtp, oidc } = config
  return {
    db,
    log,
    now,
    secrets,
    tokens: new Tokens(secrets, now),
    passwords: new Passwords(),
    metrics: makeMetrics(),
    limits: rateLimits,
    prices: await openPriceBooks(db, { book: parsePriceBook(bytes), bytes }, now()),
    disk: new DiskSpace({ now, dataDir: config.embeddedDataDir }),
    exporting: new FocusProcess({ databaseUrl: config.databaseUrl, log }),
    figuring: new FiguresThread({ databaseUrl: config.databaseUrl, log }),
    folding: openFoldThreads({ databaseUrl: config.databaseUrl, log, now, holder }),
    analysing: new AnalysisProcess({ databaseUrl: config.databaseUrl, log, now }),
    previewing: new AnalysisProcess({ databaseUrl: config.databaseUrl, log, now, isAwaited: true }),
    delivering: new BackgroundDelivery({ log, now }),
    monitoring: new IncidentsThread({ databaseUrl: config.databaseUrl, log }),
    settings: {
      publicUrl,
      agentImage,
      corsOrigins,
      trustedProxies,
      outboundNetworks,
      smtp,
      oidc,
      passwordOnlyFor: config.isSsoOnly ? (config.admin?.email ?? null) : null,
    },
  }
}

async function prepareDatabase(db: Db, pool: pg.Pool, now: Date): Promise<void> {
  await migrate(db, migrationsDirectory)
  await prepareJobs(pool)
  await writeBuiltInRoles(db, now)
}

async function serve(config: Config, deps: AppDeps, closers: (() => Promise<unknown>)[]): Promise<void> {
  const { port, host, metricsListen, opencost } = config
  if (opencost) await demandListenerKey(deps, opencost.apiKey)
  const app = await buildApp(deps, { servesMetrics: metricsListen === undefined })
  await listen(app, port, host)
  closers.push(() => closeApp(app))
  if (opencost) closers.push(await listenForOpencost(makeOpencostServer(app, deps, opencost.apiKey), opencost.listen))
}

/** In every role: background work has metrics too. */
async function serveMetrics({ host, port }: NonNullable<Config['metricsListen']>, deps: Deps) {
  const server = makeMetricsServer(deps)
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    const taken =
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'the port is in use' : (error as Error).message
    throw new StartupError(`Cannot serve metrics on ${host}:${port} (${taken}). Change PLIMSOLL_METRICS_LISTEN.`)
  }
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

/**
 * A kept-alive connection whose last request ends after closing began must be closed here. A caller with an endless
 * slow body is cut off after a while.
 */
async function closeApp(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  const patience = setTimeout(() => app.server.closeAllConnections(), closingMsMax)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(patience)
  }
}

async function listen(app: FastifyInstance, port: number, host: string): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    await app.close()
    const { code, message } = error as NodeJS.ErrnoException
    const why: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is in use. Stop the other process or set PORT to another port.`,
      EACCES: `This user may not listen on port ${port}. Set PORT to a port above 1023.`,
      EADDRNOTAVAIL: `This machine does not have the address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
    }
    throw new StartupError(why[code ?? ''] ?? `Cannot listen on ${host}:${port}: ${message}.`)
  }
}
