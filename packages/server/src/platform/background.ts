import type { Estimate, Preview } from '@plimsoll/contract'
import type { AskedWorkload } from '@plimsoll/pipeline/estimates'
import type { PriceBook } from '@plimsoll/pricebook'
import type { Db } from './db/database.ts'

/** Where clusters are folded. The service uses a separate thread, so that requests for figures do not wait. */
export type Folding = {
  /** Ends when all available batches are folded. */
  fold: (clusterId: string) => Promise<void>
  close: () => Promise<void>
}

/** Where clusters are analyzed. The service uses a separate process: a large cluster takes seconds of one core. */
export type Analysing = {
  /** Ends when the findings are stored. */
  analyse: (clusterId: string) => Promise<void>
  close: () => Promise<void>
}

export type PreviewRequest = {
  ids: readonly string[]
  /**
   * Null: all. Nodes and unattributed savings concern the whole cluster, so a caller restricted to namespaces does not
   * see them.
   */
  namespaces: readonly string[] | null
}

export type EstimateRequest = {
  clusterId: string
  workloads: readonly AskedWorkload[]
  /** Nodes concern the whole cluster, so a caller restricted to namespaces does not see them. */
  seesNodes: boolean
}

/** Computes the joint savings of several recommendations, and the cost of a change. Not in the analysis process, because a user waits for it. */
export type Previewing = {
  preview: (request: PreviewRequest) => Promise<Preview>
  /** The cost of a change of workloads. Undefined before the first report of the cluster. */
  estimate: (request: EstimateRequest) => Promise<Estimate | undefined>
  close: () => Promise<void>
}

/** Where the costs of all clusters are compared with the expected ones. The service uses a thread: it takes seconds. */
export type Monitoring = {
  /** Ends when the incidents of the newest finalised hour are stored. `again`: also if the hour was evaluated before. */
  evaluateIncidents: (now: Date, options: { again: boolean }) => Promise<void>
  close: () => Promise<void>
}

/** Sends all due messages of a channel, and returns when the next one is due. Starts no further try when stopping. */
export type DeliverChannel = (isStopping: () => boolean) => Promise<Date | undefined>

/** Where messages are sent: in the background, because a slow receiver must not hold a worker of the queue. */
export type Delivering = {
  start: (channelId: string, deliver: DeliverChannel) => Promise<void>
  /** Ends when the current tries have ended. */
  close: () => Promise<void>
}

/** Price lists by version. The database stores the active one, so that all replicas use the same. */
export type PriceBookSource = {
  load: (db: Db, version: string) => Promise<PriceBook>
  /** The price list for new nodes. */
  current: (db: Db) => Promise<PriceBook>
}
