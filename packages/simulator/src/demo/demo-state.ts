import { chmodSync, readFileSync, writeFileSync } from 'node:fs'

/** What the next start needs to go on with the same clusters. Holds secrets of the demo, so nobody else may read it. */
export type DemoState = {
  email: string
  password: string
  clusters: DemoCluster[]
}

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
}

export function readState(path: string): DemoState | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as DemoState
  } catch {
    return undefined
  }
}

export function writeState(path: string, state: DemoState): void {
  writeFileSync(path, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
}
