import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Whole or not at all, also when the power is cut. */
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

/** So that a new or renamed file is still there after the power was cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
