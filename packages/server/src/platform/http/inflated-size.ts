import { createGunzip } from 'node:zlib'

const chunkBytes = 256 * 1024

export type InflatedSize = { kind: 'whole'; bytes: number } | { kind: 'too-large' } | { kind: 'broken' }

/**
 * Inflates without storing the result. The library runs in a separate thread and returns chunks, which are counted and
 * dropped: the event loop is not blocked, and no body is completely in memory.
 */
export function inflatedSize(body: Buffer, bytesMax: number): Promise<InflatedSize> {
  return new Promise((resolve) => {
    const gunzip = createGunzip({ chunkSize: chunkBytes })
    let bytes = 0
    const end = (size: InflatedSize) => {
      gunzip.destroy()
      resolve(size)
    }
    gunzip.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) end({ kind: 'too-large' })
    })
    gunzip.on('end', () => end({ kind: 'whole', bytes }))
    gunzip.on('error', () => end({ kind: 'broken' }))
    gunzip.end(body)
  })
}
