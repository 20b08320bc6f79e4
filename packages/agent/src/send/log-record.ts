/** The header of a batch in the disk queue. */
export type RecordHead = {
  readonly epoch: string
  /** The position in the log of the epoch, from 1. */
  readonly seq: number
  readonly clusterUid: string
  /** The time of the observation in seconds since 1970. */
  readonly observedAt: number
  readonly snapshot?: { readonly id: string; readonly part: number; readonly parts: number }
}

const lineFeed = 0x0a

export function encodeRecord(head: RecordHead, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
}

/** The queue has verified the checksum. */
export function decodeRecord(record: Buffer): { head: RecordHead; body: Buffer } {
  const end = record.indexOf(lineFeed)
  return { head: JSON.parse(record.toString('utf8', 0, end)) as RecordHead, body: record.subarray(end + 1) }
}
