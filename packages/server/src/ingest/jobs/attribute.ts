/** Runs what is done for one batch and cannot be interrupted. */
export type Attribute = <Result>(batchId: string, work: () => Result) => Result

/**
 * Says which batch the thread is at, and with nothing that it is at none: should the thread end in between, it was that
 * batch. Whatever waits for something lets other clusters in and belongs to nobody.
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
