import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { Happening } from '../scenario/scenario.ts'

export type Admin = { email: string; password: string }

/** The state for the next start with the same clusters. It has secrets of the demo, so only the owner may read it. */
export type DemoState = Admin & {
  clusters: DemoCluster[]
  /** Clusters that the next run deletes. */
  leftovers: string[]
  /** The remaining chapters of the past: see `chapters.ts`. */
  chapters: DemoChapter[]
}

/** The time of the chapter in hours since 1970. */
export type DemoChapter = { kind: 'decide' | 'look-again'; hour: number }

export type DemoCluster = {
  scenario: string
  id: string
  agentToken: string
  /** When the world started, in seconds since 1970; everything derives from it. */
  openedAt: number
  /** The first sent hour, in hours since 1970. The hours between `openedAt` and it are sent after the demo is ready. */
  firstSentHour: number
  /** The first later hour that was not sent, in hours since 1970. */
  firstUnsentHour: number
  /** The number of starts. */
  runs: number
  /** The changes of users in this cluster. */
  happenings: Happening[]
}

/** The demo plays the past only on an empty database, because other users would see the clock go back. */
export function hasOthers(clusterIds: readonly string[], { clusters, leftovers }: DemoState): boolean {
  const own = new Set([...leftovers, ...clusters.map(({ id }) => id)])
  return clusterIds.some((id) => !own.has(id))
}

/** Earlier versions sent all hours in order, and the oldest ones wrote `firstUnsentHour` with another name. */
type StoredCluster = Omit<DemoCluster, 'firstSentHour' | 'firstUnsentHour'> &
  Partial<DemoCluster> & { toldUntil?: number }

type StoredState = Omit<DemoState, 'clusters'> & { clusters: StoredCluster[] }

function withCurrentNames({ toldUntil, ...cluster }: StoredCluster): DemoCluster {
  const openedHour = cluster.openedAt / SECONDS_PER_HOUR
  return { firstSentHour: openedHour, firstUnsentHour: toldUntil ?? openedHour, ...cluster }
}

export function readState(path: string): DemoState | undefined {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as StoredState | (Admin & Pick<DemoState, 'clusters'>)
    if ('chapters' in state) return { ...state, clusters: state.clusters.map(withCurrentNames) }
    // Of a demo without chapters only the admin is reused.
    return { ...state, clusters: [], leftovers: state.clusters.map(({ id }) => id), chapters: [] }
  } catch {
    return undefined
  }
}

/** The server recognises an otherwise empty data directory by this file. */
const nameInDataDir = 'plimsoll-demo.json'

/** In the data directory if one is set, otherwise beside the demo data in the project. */
export const stateFileOf = (dataDir: string | undefined, projectDir: string): string =>
  dataDir ? join(dataDir, nameInDataDir) : join(projectDir, '.plimsoll-demo.json')

/** Whether the directory had data before the demo wrote its state. */
export const holdsData = (dataDir: string): boolean =>
  existsSync(dataDir) && readdirSync(dataDir).some((name) => name !== nameInDataDir)

export function writeState(path: string, state: DemoState): void {
  // The parent directories get the default mode, so that the database user can reach its directory.
  mkdirSync(dirname(dirname(path)), { recursive: true })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
}
