import type { Preview } from '@plimsoll/contract'

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
