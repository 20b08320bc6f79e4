import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Happening } from '../scenario/scenario.ts'

export type Admin = { email: string; password: string }

/** What the next start needs to go on with the same clusters. Holds secrets of the demo, so nobody else may read it. */
export type DemoState = Admin & {
  clusters: DemoCluster[]
  /** Clusters that are to be deleted by the next run of the service. */
  leftovers: string[]
  /** The chapters of the past that are still to be lived through: see `chapters.ts`. */
  chapters: DemoChapter[]
}

/** When it plays, in hours since 1970. */
export type DemoChapter = { kind: 'decide' | 'look-again'; hour: number }

export type DemoCluster = {
  scenario: string
  id: string
  agentToken: string
  /** When its world was opened, in seconds since 1970: from then on everything follows. */
  openedAt: number
  /** The first hour of which nothing was told yet, in hours since 1970. */
  toldUntil: number
  /** How often it has been started. */
  runs: number
  /** What people have changed in it. */
  happenings: Happening[]
}

/** The past can be lived only where nobody else lives: whoever does would see the clock go back. */
export function hasOthers(clusterIds: readonly string[], { clusters, leftovers }: DemoState): boolean {
  const own = new Set([...leftovers, ...clusters.map(({ id }) => id)])
  return clusterIds.some((id) => !own.has(id))
}

export function readState(path: string): DemoState | undefined {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as DemoState | (Admin & Pick<DemoState, 'clusters'>)
    if ('chapters' in state) return state
    // Of a demo that was begun before it had chapters only the admin stays.
    return { ...state, clusters: [], leftovers: state.clusters.map(({ id }) => id), chapters: [] }
  } catch {
    return undefined
  }
}

/** The server knows a data directory by this name as its own, also before there is anything else in it. */
const nameInDataDir = 'plimsoll-demo.json'

/** With the data, where somebody says where that is; else beside that of the demo, in the project. */
export const stateFileOf = (dataDir: string | undefined, projectDir: string): string =>
  dataDir ? join(dataDir, nameInDataDir) : join(projectDir, '.plimsoll-demo.json')

/** Whether anything was there before the demo wrote its own state. */
export const holdsData = (dataDir: string): boolean =>
  existsSync(dataDir) && readdirSync(dataDir).some((name) => name !== nameInDataDir)

export function writeState(path: string, state: DemoState): void {
  // The parents get the usual mode, so that whoever runs the database can reach its directory.
  mkdirSync(dirname(dirname(path)), { recursive: true })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
}
