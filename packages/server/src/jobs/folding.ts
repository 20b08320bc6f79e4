/** Where clusters are folded. The service does it in a thread of its own, so that whoever asks for figures is not kept waiting. */
export type Folding = {
  /** Ends when everything that may be folded now is folded. */
  fold: (clusterId: string) => Promise<void>
  close: () => Promise<void>
}
