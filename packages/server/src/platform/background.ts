import type { Preview } from '@plimsoll/contract'
import type { PriceBook } from '@plimsoll/pricebook'
import type { Db } from './db/database.ts'

/** Where clusters are folded. The service does it in a thread of its own, so that whoever asks for figures is not kept waiting. */
export type Folding = {
  /** Ends when everything that may be folded now is folded. */
  fold: (clusterId: string) => Promise<void>
  close: () => Promise<void>
}

/** Where clusters are analysed. The service does it in a process of its own: a large one takes seconds of one core. */
export type Analysing = {
  /** Ends when what was found is written down. */
  analyse: (clusterId: string) => Promise<void>
  close: () => Promise<void>
}

export type PreviewAsked = {
  ids: readonly string[]
  /** Null: all. Nodes, and what belongs to no advice, are of the whole cluster: who sees namespaces only is not told of them. */
  namespaces: readonly string[] | null
}

/** Where it is found out what several recommendations save together. In another process than analyses: somebody waits for it. */
export type Previewing = {
  preview: (asked: PreviewAsked) => Promise<Preview>
  close: () => Promise<void>
}

/** Price books by version. The database says which one is in use, so that all replicas use the same. */
export type PriceBookSource = {
  load: (db: Db, version: string) => Promise<PriceBook>
  /** The book that prices new nodes. */
  current: (db: Db) => Promise<PriceBook>
}
