import { crc32 } from 'node:zlib'

/** The length and the checksum precede each record. */
export const HEADER_BYTES = 8

/** A larger length means damage, and must not cause a read of gigabytes. */
const RECORD_BYTES_MAX = 64 * 1024 * 1024

export function frame(record: Uint8Array): Buffer {
  if (record.length > RECORD_BYTES_MAX) throw new Error(`a record of ${record.length} bytes is too large for the queue`)
  const framed = Buffer.allocUnsafe(HEADER_BYTES + record.length)
  framed.writeUInt32LE(record.length, 0)
  framed.writeUInt32LE(checksum(record), 4)
  framed.set(record, HEADER_BYTES)
  return framed
}

/** The positions of the complete records of a file. The bytes after the first incomplete record are ignored. */
export function scan(bytes: Buffer): { records: { offset: number; length: number }[]; wholeBytes: number } {
  const records: { offset: number; length: number }[] = []
  let at = 0
  while (at + HEADER_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at)
    const offset = at + HEADER_BYTES
    if (length > RECORD_BYTES_MAX || offset + length > bytes.length) break
    if (bytes.readUInt32LE(at + 4) !== checksum(bytes.subarray(offset, offset + length))) break
    records.push({ offset, length })
    at = offset + length
  }
  return { records, wholeBytes: at }
}

/** Covers the length too, because a block of zeroes from the file system must not look like a record. */
function checksum(record: Uint8Array): number {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32LE(record.length, 0)
  return (crc32(record, crc32(length)) ^ 0xa5a5a5a5) >>> 0
}
