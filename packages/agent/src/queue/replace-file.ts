import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file atomically, also in case of a power failure. */
export async function replaceFile(path: string, content: Uint8Array | string, openFile = open): Promise<void> {
  const file = await openFile(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncDirectory(dirname(path))
}

/** Makes new and renamed files durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
