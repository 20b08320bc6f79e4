import { readFile } from 'node:fs/promises'

/** Read for every request, so that a rotated token needs no restart. Throws a sentence that says what is wrong with the file. */
export async function readTokenFile(path: string): Promise<string> {
  const token = (await readFile(path, 'utf8').catch((error: unknown) => refuse(path, error))).trim()
  if (token === '') throw new Error(`The token file ${path} is empty.`)
  // As a header it would be refused with all that it holds in the message.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`The token file ${path} does not contain a token.`)
  return token
}

function refuse(path: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') throw new Error(`The token file ${path} is missing.`)
  throw new Error(`The token file ${path} cannot be read: ${message}.`)
}
