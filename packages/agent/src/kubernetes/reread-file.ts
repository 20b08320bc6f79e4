import { readFile } from 'node:fs/promises'

/** Kubelet and login tools rotate tokens well before they expire. */
const rereadMs = 10_000

export type RereadFile = {
  read(): Promise<Buffer>
  /** Forces the next read to read the file. */
  forget(): void
}

/**
 * The content of a file that another process replaces. It is re-read after ten seconds, or at once after `forget`. If a
 * read fails, the previous content is used.
 */
export function rereadFile(path: string, now: () => number): RereadFile {
  let last: { readonly at: number; readonly content: Buffer } | undefined
  let isForgotten = false
  let reading: Promise<Buffer> | undefined
  const readNow = async () => {
    try {
      last = { at: now(), content: await readFile(path) }
      isForgotten = false
      return last.content
    } catch (error) {
      if (last) return last.content
      throw error
    } finally {
      reading = undefined
    }
  }
  return {
    read: async () => {
      if (last && !isForgotten && now() - last.at <= rereadMs) return last.content
      return (reading ??= readNow())
    },
    forget: () => (isForgotten = true),
  }
}
