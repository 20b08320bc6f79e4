import { readFile } from 'node:fs/promises'

/** The kubelet and login tools replace tokens well before they expire. */
const rereadMs = 10_000

export type RereadFile = {
  read(): Promise<Buffer>
  /** The next read looks at the file, however recent the last one is. */
  forget(): void
}

/**
 * The content of a file that somebody else replaces: read again after ten seconds, and at once after `forget`. While a new read
 * fails, the last content holds.
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
