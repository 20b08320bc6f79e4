import { readFile } from 'node:fs/promises'

/**
 * Read for every request, so that a rotated token needs no restart. The error message states the problem of the file.
 */
export async function readTokenFile(path: string): Promise<string> {
  const token = (await readFile(path, 'utf8').catch((error: unknown) => refuse(path, error))).trim()
  if (token === '') throw new Error(`The token file ${path} is empty.`)
  // An invalid header value would appear in the error message.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`The token file ${path} does not contain a token.`)
  return token
}

function refuse(path: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') throw new Error(`The token file ${path} is missing.`)
  throw new Error(`The token file ${path} cannot be read: ${message}.`)
}
