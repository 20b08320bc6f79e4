import { open, rm, stat, type FileHandle } from 'node:fs/promises'
import type { QueueFiles } from '../src/queue/disk-queue.ts'

const failure = (code: string) => Object.assign(new Error(`${code}: made up`), { code })

/** A disk with configurable failures. Deleting or truncating files frees space. */
export function failingDisk() {
  const disk = {
    bytesFree: Number.POSITIVE_INFINITY,
    bytesAtOnce: Number.POSITIVE_INFINITY,
    /** Later writes fail with EIO. */
    failAfterWrites: Number.POSITIVE_INFINITY,
    /** Rejects all writes, even after deletions. */
    isBroken: false,
    files: {} as QueueFiles,
  }

  function take(bytes: number): number {
    if ((disk.failAfterWrites -= 1) < 0) throw failure('EIO')
    const taken = Math.min(bytes, disk.bytesAtOnce, disk.isBroken ? 0 : disk.bytesFree)
    if (taken === 0) throw failure('ENOSPC')
    disk.bytesFree -= taken
    return taken
  }

  /** Only the methods that the queue uses. */
  function handleOf(file: FileHandle) {
    return {
      read: file.read.bind(file),
      datasync: () => file.datasync(),
      close: () => file.close(),
      truncate: async (length: number) => {
        const { size } = await file.stat()
        await file.truncate(length)
        disk.bytesFree += size - length
      },
      write: async (bytes: Buffer, offset: number, length: number, position: number) =>
        file.write(bytes, offset, take(length), position),
      writeFile: async (bytes: Uint8Array) => {
        if (take(bytes.length) < bytes.length) throw failure('ENOSPC')
        await file.writeFile(bytes)
      },
    }
  }

  disk.files = {
    open: (async (...call: Parameters<typeof open>) => handleOf(await open(...call))) as unknown as typeof open,
    rm: async (path, options) => {
      const { size } = await stat(path)
      await rm(path, options)
      disk.bytesFree += size
    },
  }
  return disk
}
