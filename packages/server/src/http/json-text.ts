import { jsonDepthMax } from '@plimsoll/contract'
import { Problem } from '../problem.ts'

/** Parses a body as strictly as a contract should be read: UTF-8, no duplicate keys, no text a database cannot hold. */
export function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes)
  const value = parseText(text)
  refuseDuplicateKeysAndDepth(text)
  refuseUnstorableText(value, '')
  return value
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('malformed_json', 'The body is not UTF-8.')
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new Problem('malformed_json', `The body is not JSON: ${(error as Error).message.slice(0, 200)}`)
  }
}

/** JSON.parse keeps the last of two equal keys without a word. The text is known to be JSON here, so a scan is enough. */
function refuseDuplicateKeysAndDepth(text: string): void {
  const open: (Set<string> | null)[] = []
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gy
  for (let at = 0; at < text.length; at += 1) {
    token.lastIndex = at
    const match = token.exec(text)
    if (!match) continue
    at = token.lastIndex - 1
    const [found, colon] = match
    if (found === '{' || found === '[') open.push(found === '{' ? new Set() : null)
    else if (found === '}' || found === ']') open.pop()
    else if (colon !== undefined) addKey(open.at(-1), found.slice(0, -colon.length))
    if (open.length > jsonDepthMax) {
      throw new Problem('malformed_json', `The body is nested more than ${jsonDepthMax} levels deep.`)
    }
  }
}

function addKey(keys: Set<string> | null | undefined, literal: string): void {
  const key = JSON.parse(literal) as string
  if (keys?.has(key))
    throw new Problem('malformed_json', `The key ${literal.slice(0, 80)} appears twice in one object.`)
  keys?.add(key)
}

function refuseUnstorableText(value: unknown, pointer: string): void {
  if (typeof value === 'string') {
    if (isStorable(value)) return
    const detail = 'holds a NUL character or half a surrogate pair'
    throw new Problem('invalid_body', `The text at ${pointer || '/'} ${detail}.`, {
      errors: [{ pointer, code: 'text', detail }],
    })
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    refuseUnstorableText(key, pointer)
    refuseUnstorableText(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

/** PostgreSQL text takes any Unicode but NUL. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
