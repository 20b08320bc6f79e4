import type { Target } from '@plimsoll/agent'
// The living product: npm run demo. A server with its database, and three made-up clusters with weeks of history.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { Random } from '../random.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { awsProduction } from '../scenarios/aws-production.ts'
import { azureOffice } from '../scenarios/azure-office.ts'
import { gcpPlatform } from '../scenarios/gcp-platform.ts'
import { openWorld, type World } from '../world/world.ts'
import { DemoApi } from './api.ts'
import { readState, writeState, type DemoCluster, type DemoState } from './demo-state.ts'
import { catchUp, goLive } from './run-cluster.ts'
import { startServer } from './server-process.ts'

const help = `npm run demo [-- --reset]
  Starts Plimsoll with three made-up clusters and five weeks of their history, then lets them live on.
  --reset  deletes the clusters of the demo first and makes them anew
  PORT, HOST, DATABASE_URL, PLIMSOLL_DATA_DIR and the other settings of the README work here as well.`

/** Back-fill is taken up to 35 days back. */
const historyHours = 34 * 24
/** Beyond, telling what happened since would take longer than a new start. */
const worldHoursMax = 80 * 24

const projectDir = fileURLToPath(new URL('../../../../', import.meta.url))
const stateFile = `${projectDir}.plimsoll-demo.json`
const scenarios = [azureOffice, gcpPlatform, awsProduction]
const now = () => Date.now() / 1000

const { values } = parseArgs({
  options: { reset: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
async function demo(): Promise<void> {
  const { PORT = '8080', HOST = '127.0.0.1', PLIMSOLL_PUBLIC_URL } = process.env
  const url = `http://${HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST}:${PORT}`
  const state = readState(stateFile) ?? newState()
  // Before anybody is made admin with it: a start that fails must not leave a password that nobody knows.
  writeState(stateFile, state)
  const admin = adminOfEnvironment() ?? state
  console.log('\n  Plimsoll is starting …')
  const server = startServer(`${projectDir}packages/server/dist/main.js`, {
    PLIMSOLL_LOG_LEVEL: 'warn',
    PLIMSOLL_ADMIN_EMAIL: admin.email,
    PLIMSOLL_ADMIN_PASSWORD: admin.password,
    ...process.env,
    PLIMSOLL_DEMO: '1',
  })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  let hasEnded = false
  void server.ended.then(() => {
    hasEnded = true
    stopping.abort()
  })
  try {
    if (!(await server.ready)) throw new Error('The service did not start.')
    const shownUrl = PLIMSOLL_PUBLIC_URL ?? url
    await show(new DemoApi(url), { url, shownUrl, admin, state, signal: stopping.signal })
  } catch (error) {
    const wasAsked = stopping.signal.aborted && !hasEnded
    if (!wasAsked) console.error(`\n  ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = wasAsked ? 0 : 1
  }
  await server.stop()
}

const newState = (): DemoState => ({
  email: 'demo@plimsoll.example',
  password: randomBytes(9).toString('base64url'),
  clusters: [],
})

/** Who runs the demo on a database of their own is admin there already. Their password is kept nowhere. */
function adminOfEnvironment(): Admin | undefined {
  const { PLIMSOLL_ADMIN_EMAIL: email, PLIMSOLL_ADMIN_PASSWORD: password } = process.env
  return email && password ? { email, password } : undefined
}

type Admin = Pick<DemoState, 'email' | 'password'>

type Stage = { url: string; shownUrl: string; admin: Admin; state: DemoState; signal: AbortSignal }

async function show(api: DemoApi, { url, shownUrl, admin, state, signal }: Stage): Promise<void> {
  if (!(await api.signIn(admin.email, admin.password))) {
    throw new Error(
      `${admin.email} could not sign in: this database has another admin. Set PLIMSOLL_ADMIN_EMAIL and ` +
        'PLIMSOLL_ADMIN_PASSWORD to its admin, or PLIMSOLL_DATA_DIR to another directory.',
    )
  }
  if (values.reset) await forget(api, state)
  const began = now()
  const living: Promise<unknown>[] = []
  for (const scenario of scenarios) {
    if (signal.aborted) break
    const cluster = await findOrCreate(api, state, scenario)
    const world = openWorld(scenario, cluster.openedAt)
    const target = targetOf(url, scenario, cluster.agentToken)
    console.log(`  ${nameOf(scenario)}: telling what has happened so far …`)
    await catchUp(world, target, cluster, now())
    living.push(live(world, target, cluster, { state, signal }))
    remember(state, { ...cluster, runs: cluster.runs + 1 })
  }
  await untilPriced(api, state, signal)
  if (!signal.aborted) console.log(whatToLookAt(shownUrl, admin, state, now() - began))
  await Promise.all(living)
}

async function live(
  world: World,
  target: Target,
  cluster: DemoCluster,
  { state, signal }: Pick<Stage, 'state' | 'signal'>,
) {
  await goLive(world, target, cluster, { now, signal })
  // From the next hour on nobody has told anything.
  remember(state, { ...cluster, runs: cluster.runs + 1, toldUntil: Math.floor(now() / SECONDS_PER_HOUR) + 1 })
}

async function forget(api: DemoApi, state: DemoState): Promise<void> {
  for (const { id } of state.clusters) await api.deleteCluster(id)
  state.clusters = []
  writeState(stateFile, state)
}

async function findOrCreate(api: DemoApi, state: DemoState, scenario: Scenario): Promise<DemoCluster> {
  const known = state.clusters.find((cluster) => cluster.scenario === scenario.name)
  if (known && (await api.hasCluster(known.id))) {
    if (now() - known.openedAt < worldHoursMax * SECONDS_PER_HOUR) return known
    throw new Error('The clusters of this demo are months old. Make them anew: npm run demo -- --reset')
  }
  const openedHour = Math.floor(now() / SECONDS_PER_HOUR) - historyHours
  const { provider, region } = scenario
  const created = await api.createCluster({ name: nameOf(scenario), provider, region })
  const cluster: DemoCluster = {
    scenario: scenario.name,
    id: created.id,
    agentToken: created.agent_token,
    openedAt: openedHour * SECONDS_PER_HOUR,
    toldUntil: openedHour,
    runs: 0,
  }
  remember(state, cluster)
  return cluster
}

function remember(state: DemoState, cluster: DemoCluster): void {
  state.clusters = [...state.clusters.filter((each) => each.scenario !== cluster.scenario), cluster]
  writeState(stateFile, state)
}

/** Made-up data never looks like real data. */
const nameOf = ({ name }: Scenario) => `${name} (demo)`

function targetOf(url: string, { seed }: Scenario, token: string): Target {
  return { url, token, random: new Random(seed), sleep: (seconds) => wait(seconds * 1000) }
}

/** Folding follows the batches by some seconds. Whoever waited a minute may as well look at a part of it. */
async function untilPriced(api: DemoApi, { clusters }: DemoState, signal: AbortSignal): Promise<void> {
  const deadline = now() + 60
  for (const { id } of clusters) {
    while (!signal.aborted && now() < deadline && (await api.dataStatus(id)) !== 'complete') await wait(3000)
  }
}

function whatToLookAt(url: string, { email, password }: Admin, { clusters }: DemoState, seconds: number): string {
  const [first] = clusters
  return `
  Plimsoll is running at ${url}   (demo data, ready after ${Math.round(seconds)} s)

  Sign in   ${email}  ${password}
  API docs  ${url}/docs

  With curl:

  TOKEN=$(curl -s ${url}/auth/login -H 'Content-Type: application/json' \\
    -d '{"email":"${email}","password":"${password}"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s ${url}/api/v1/clusters -H "Authorization: Bearer $TOKEN"
  curl -s '${url}/api/v1/clusters/${first?.id}/summary?window=30d' -H "Authorization: Bearer $TOKEN"
  curl -s '${url}/api/v1/idle-costs?cluster_id=${first?.id}&window=7d' -H "Authorization: Bearer $TOKEN"
  curl -s '${url}/api/v1/allocation?cluster_id=${first?.id}&by=namespace&window=7d' -H "Authorization: Bearer $TOKEN"
  curl -s '${url}/api/v1/clusters/${first?.id}/explain?figure=total&window=24h' -H "Authorization: Bearer $TOKEN"

  Ctrl-C stops it. The next start goes on where this one ended; npm run demo -- --reset begins anew.
`
}

if (values.help) console.log(help)
else await demo()
