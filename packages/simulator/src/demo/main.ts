// npm run demo: a server with its database, and three simulated clusters with weeks of history.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { awsProduction } from '../scenarios/aws-production.ts'
import { azureOffice } from '../scenarios/azure-office.ts'
import { DemoApi } from './api.ts'
import {
  chaptersOf,
  findIncident,
  hasEarlierDays,
  momentWords,
  play,
  sendEarlierDays,
  stretchesOf,
  playAll,
  untilAllKnown,
  untilSeen,
  untilWholeInTurn,
  withPatience,
  type Moment,
  type Stage,
} from './chapters.ts'
import { goodWeek } from './decisions.ts'
import { platformWithIncident } from './incident.ts'
import { hasOthers, holdsData, readState, stateFileOf, writeState, type Admin, type DemoState } from './demo-state.ts'
import { Fleet, targetOf, type Member } from './fleet.ts'
import { openReceiver } from './receiver.ts'
import { stepWords } from './progress.ts'
import { goLive } from './run-cluster.ts'
import { startServer } from './server-process.ts'
import { historyWords, largestResize, largestWaste, linkStories, whatToLookAt } from './stories.ts'
import { TimeLeft } from './time-left.ts'

const help = `npm run demo [-- --reset]
  Starts Plimsoll with three simulated clusters and up to five weeks of history, then continues in real time.
  --reset  deletes the demo clusters and creates them again
  PORT, HOST, DATABASE_URL, PLIMSOLL_DATA_DIR and the other settings in the README also apply.`

const projectDir = fileURLToPath(new URL('../../../../', import.meta.url))
const stateFile = stateFileOf(process.env.PLIMSOLL_DATA_DIR, projectDir)
const platformDays = 24
/** The days of history of each cluster. The two younger clusters joined later. */
const daysOld = new Map([
  [azureOffice, 17],
  [platformWithIncident(platformDays), platformDays],
  [awsProduction, 34],
])
const scenarios = [...daysOld.keys()]
const now = () => Date.now() / 1000
const say = (text: string) => console.log(`  ${text}`)
const began = now()

const { values } = parseArgs({
  options: { reset: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})

async function demo(): Promise<void> {
  const { PORT = '8080', HOST = '127.0.0.1', PLIMSOLL_PUBLIC_URL } = process.env
  const url = `http://${HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST}:${PORT}`
  const known = readState(stateFile)
  const state = known ?? newState()
  const save = () => writeState(stateFile, state)
  const fleet = new Fleet(state, save, (scenario) => daysOld.get(scenario) ?? 0)
  // A start that was interrupted between two new clusters is repeated.
  const isNew = values.reset || state.clusters.length < scenarios.length
  if (isNew) beginAnew(state, fleet)
  // Saved before the admin is created, so that a failed start does not lose the password.
  save()
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(stopping))
  const timeLeft = new TimeLeft(stretchesOf(state.chapters), now)
  const show = { url, shownUrl: PLIMSOLL_PUBLIC_URL ?? url, state, save, stopping, fleet, timeLeft, stepsDone: 0 }
  console.log('\n  Plimsoll is starting …')
  const looksFirst = isNew && state.chapters.length > 0 && mayHoldClusters(known !== undefined)
  let goesOn = looksFirst ? await act(show, lookAround) : true
  while (goesOn) goesOn = await act(show, onStage)
}

/** Terminal and npm may both send a signal, so it is handled once. */
function stop(stopping: AbortController): void {
  if (stopping.signal.aborted) return
  console.log('\n  Stopping … the data is kept for the next start.')
  stopping.abort()
}

/** Whether the database may have clusters of others. The state lists the clusters of the demo. */
function mayHoldClusters(hasBegun: boolean): boolean {
  const { PLIMSOLL_DATA_DIR: dir } = process.env
  return dir ? holdsData(dir) : hasBegun
}

type Show = {
  url: string
  shownUrl: string
  state: DemoState
  save: () => void
  stopping: AbortController
  fleet: Fleet
  timeLeft: TimeLeft
  /** The completed stages of this start. */
  stepsDone: number
}

const newState = (): DemoState => ({
  email: 'demo@plimsoll.example',
  password: randomBytes(9).toString('base64url'),
  clusters: [],
  leftovers: [],
  chapters: [],
})

/** A given database may have other users. There the clock is not changed, and the demo has no past chapters. */
function beginAnew(state: DemoState, fleet: Fleet): void {
  fleet.beginAnew()
  state.chapters = process.env.DATABASE_URL === undefined ? chaptersOf(now()) : []
}

type Scene = (show: Show, admin: Admin) => Promise<boolean>

/** One run of the service: a chapter of the past with its clock, or the present. True: more runs follow. */
async function act(show: Show, scene: Scene): Promise<boolean> {
  const { state, stopping } = show
  const [chapter] = scene === lookAround ? [] : state.chapters
  const admin = adminOfEnvironment() ?? state
  const environment = {
    PLIMSOLL_LOG_LEVEL: 'warn',
    PLIMSOLL_ADMIN_EMAIL: admin.email,
    PLIMSOLL_ADMIN_PASSWORD: admin.password,
    ...process.env,
    PLIMSOLL_DEMO: '1',
    // The receiver of the demo is on this machine.
    PLIMSOLL_OUTBOUND_NETWORKS: [process.env.PLIMSOLL_OUTBOUND_NETWORKS, '127.0.0.1'].filter(Boolean).join(','),
  }
  const secondsSlow = chapter === undefined ? 0 : now() - chapter.hour * SECONDS_PER_HOUR
  const server = startServer(`${projectDir}packages/server/dist/main.js`, environment, secondsSlow)
  let hasEnded = false
  let isOver = false
  void server.ended.then(() => {
    hasEnded = true
    if (!isOver) stopping.abort()
  })
  let goesOn = false
  try {
    if (scene === onStage && state.clusters.length === 0)
      for (const scenario of scenarios) await show.fleet.prepare(scenario, began, stopping.signal)
    if (!(await server.ready)) throw new Error('The service did not start.')
    goesOn = await scene(show, admin)
  } catch (error) {
    const wasStopped = stopping.signal.aborted && !hasEnded
    if (!wasStopped) console.error(`\n  ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = wasStopped ? 0 : 1
  }
  isOver = true
  await server.stop()
  return goesOn && !stopping.signal.aborted
}

/** With a given database, the user is already admin there. That password is not stored. */
function adminOfEnvironment(): Admin | undefined {
  const { PLIMSOLL_ADMIN_EMAIL: email, PLIMSOLL_ADMIN_PASSWORD: password } = process.env
  return email && password ? { email, password } : undefined
}

/** Runs with the real clock before any chapter, to protect the clusters of others. */
async function lookAround({ url, state, save }: Show, admin: Admin): Promise<boolean> {
  const api = await signedIn(url, admin)
  stayInThePresent(state, await api.clusterIds())
  save()
  return true
}

/** With other clusters in the database, the demo skips its past chapters. True: it skipped them just now. */
function stayInThePresent(state: DemoState, listed: readonly string[]): boolean {
  if (state.chapters.length === 0 || !hasOthers(listed, state)) return false
  say('The database contains other clusters, so the demo cannot create a savings history.')
  state.chapters = []
  return true
}

async function onStage(show: Show, admin: Admin): Promise<boolean> {
  const { url, shownUrl, state, save, stopping, fleet, timeLeft } = show
  const api = await signedIn(url, admin)
  const listed = await api.clusterIds()
  const isGone = await isOneGone(api, state, listed)
  if (isGone) beginAnew(state, fleet)
  const isCalledOff = stayInThePresent(state, listed)
  for (const id of state.leftovers) await api.deleteCluster(id)
  state.leftovers = []
  save()
  if (isGone || isCalledOff) return true
  const stage: Stage = {
    url,
    api,
    fleet,
    scenarios,
    plot: goodWeek,
    today: began,
    signal: stopping.signal,
    pauseMs: 1000,
    say,
    clock: now,
    timeLeft,
  }
  // Before the first evaluation of alerts, which names unowned namespaces.
  if (ownsDatabase) await api.createTeams()
  const [chapter] = state.chapters
  sayStep(show, chapter?.kind ?? 'today')
  if (chapter) {
    await play(stage, chapter)
    if (!stage.signal.aborted) state.chapters = state.chapters.slice(1)
    save()
    return true
  }
  await present(stage, { email: admin.email, password: admin === state ? state.password : undefined, shownUrl })
  return false
}

function sayStep(show: Show, moment: Moment): void {
  const left = show.state.chapters.length + 1
  say(stepWords({ done: show.stepsDone, left, what: momentWords[moment] }))
  show.stepsDone += 1
}

async function signedIn(url: string, { email, password }: Admin): Promise<DemoApi> {
  const api = new DemoApi(url)
  if (await api.signIn(email, password)) return api
  throw new Error(
    `${email} cannot sign in: this database has another admin. Set PLIMSOLL_ADMIN_EMAIL and ` +
      'PLIMSOLL_ADMIN_PASSWORD to its admin, or PLIMSOLL_DATA_DIR to another directory.',
  )
}

/** Whether a cluster of the demo was deleted, or the whole database. */
async function isOneGone(api: DemoApi, { clusters }: DemoState, listed: readonly string[]): Promise<boolean> {
  // The list is limited to one page.
  for (const { id } of clusters) if (!listed.includes(id) && !(await api.hasCluster(id))) return true
  return false
}

type Shown = { email: string; password: string | undefined; shownUrl: string }

async function present(stage: Stage, admin: Shown): Promise<void> {
  const { fleet, signal } = stage
  const hasPlayed = fleet.members.length > 0
  // Before the first alert, which goes to the channels of its time.
  const messagesUrl = await receiveMessages(stage.api)
  await playAll(stage, { second: now(), kind: 'today' })
  if (signal.aborted) return
  const patience = withPatience(stage)
  // After the chapters, days of data are not finalised yet. An earlier analysis would see incomplete data.
  const whole = hasPlayed ? untilWholeInTurn(patience, fleet.members) : []
  const living = fleet.members.map(async (member, index) => {
    await whole[index]
    await live(stage, member)
  })
  await Promise.all(whole)
  await Promise.all(fleet.members.map((member) => untilSeen(patience, member, 'today')))
  if (ownsDatabase) await stage.api.createBudgets()
  if (!signal.aborted) console.log(await guide(stage, admin, messagesUrl))
  await Promise.all([...living, completeHistory(stage, admin.shownUrl)])
}

/** Sends the days that a new demo left out for a quick start. A cost incident is visible only with all of them. */
async function completeHistory(stage: Stage, shownUrl: string): Promise<void> {
  const { fleet, signal } = stage
  const behind = fleet.members.filter(hasEarlierDays)
  if (behind.length === 0 || signal.aborted) return
  say('Sending the earlier days of the history …')
  for (const member of behind) await sendEarlierDays(stage, member)
  const patience = { ...withPatience(stage), say: () => undefined }
  await Promise.all(behind.map((member) => untilAllKnown(patience, member)))
  if (signal.aborted) return
  if (patience.signal.aborted) say('The service is still processing the earlier days.')
  else console.log(historyWords(shownUrl, await findIncident(patience)))
}

async function live({ fleet, url, signal }: Stage, member: Member): Promise<void> {
  const running = goLive(member.world, targetOf(url, member), member.cluster, { now, signal })
  fleet.remember(member, { runs: member.cluster.runs + 1 })
  await running
  // Hours from the next one on were not sent.
  fleet.remember(member, { firstUnsentHour: Math.floor(now() / SECONDS_PER_HOUR) + 1 })
}

/** A given database belongs to others. */
const ownsDatabase = process.env.DATABASE_URL === undefined

/** The channel of the demo, and the page that shows its messages. */
async function receiveMessages(api: DemoApi): Promise<string | undefined> {
  if (!ownsDatabase) return undefined
  const { url } = await openReceiver()
  await api.connectChannel('Demo receiver', url)
  return url
}

async function guide(
  { api, fleet }: Stage,
  { shownUrl: url, email, password }: Shown,
  messagesUrl: string | undefined,
) {
  const found = (await Promise.all(fleet.members.map(({ cluster }) => api.recommendations(cluster.id)))).flat()
  const count = (state: string) => found.filter(({ verification }) => verification === state).length
  return whatToLookAt({
    ...{ url, email, password, messagesUrl },
    seconds: now() - began,
    largest: largestWaste(found),
    resize: largestResize(found),
    storyLinks: linkStories(fleet.members, found, url),
    ledgerMoves: { verified: count('verified'), reverted: count('reverted') },
  })
}

if (values.help) console.log(help)
else await demo()
