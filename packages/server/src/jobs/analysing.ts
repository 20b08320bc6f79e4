/** Where clusters are analysed. The service does it in a thread of its own: a large one takes seconds of one core. */
export type Analysing = {
  /** Ends when what was found is written down. */
  analyse: (clusterId: string) => Promise<void>
  close: () => Promise<void>
}
