/** Runs the uninterruptible work for one batch. */
export type Attribute = <Result>(batchId: string, work: () => Result) => Result

/**
 * Reports which batch the thread processes, or none. If the thread ends meanwhile, this batch is the cause.
 * Asynchronous work lets other clusters in and is not attributed.
 */
export const attributeBy =
  (onBatch: (batchId: string | undefined) => void): Attribute =>
  (batchId, work) => {
    onBatch(batchId)
    try {
      return work()
    } finally {
      onBatch(undefined)
    }
  }
