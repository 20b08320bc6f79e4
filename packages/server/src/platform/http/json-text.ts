import { isStorable, jsonDepthMax, jsonKeysMax } from '@plimsoll/contract'
import { Problem } from './problem.ts'

/** Parses a body strictly: UTF-8, no duplicate keys, no text that a database cannot store. */
export function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes)
  refuseManyKeys(text)
  const value = parseText(text)
  refuseDuplicateKeysAndDepth(text)
  // Only an escape can produce them: raw ones are neither JSON nor UTF-8.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorableText(value, '')
  return value
}

/** Before parsing: an object of 25,000 keys takes 50 ms to parse and to check. */
function refuseManyKeys(text: string): void {
  let keys = 0
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1
    while (isBlank(text[before])) before -= 1
    if (text[before] === '"' && !isEscaped(text, before)) keys += 1
    if (keys > jsonKeysMax) throw new Problem('malformed_json', `The body has more than ${jsonKeysMax} keys.`)
  }
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
    throw new Problem('malformed_json', `The body is not JSON: ${withoutQuote((error as Error).message)}.`)
  }
}

/** The message of the engine ends with a part of the text, which may be a part of a password. */
const withoutQuote = (message: string) => message.replace(/, (\.\.\.)?".*$/s, '')

/** JSON.parse silently keeps the last of two equal keys. The text is valid JSON here, so a scan is enough. */
function refuseDuplicateKeysAndDepth(text: string): void {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '{' || character === '[') open.push(character === '{' ? new Set() : null)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = closingQuote(text, at)
      if (isBeforeColon(text, end)) addKey(open.at(-1), text.slice(at, end + 1))
      at = end
    }
    if (open.length > jsonDepthMax) {
      throw new Problem('malformed_json', `The body is nested more than ${jsonDepthMax} levels deep.`)
    }
  }
}

function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1)
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

function isBeforeColon(text: string, quote: number): boolean {
  let at = quote + 1
  while (isBlank(text[at])) at += 1
  return text[at] === ':'
}

const isBlank = (character: string | undefined) =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'

function addKey(keys: Set<string> | null | undefined, literal: string): void {
  // Parsing each of tens of thousands of keys would take most of the time.
  const key = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)
  if (keys?.has(key))
    throw new Problem('malformed_json', `The key ${literal.slice(0, 80)} appears twice in one object.`)
  keys?.add(key)
}

function refuseUnstorableText(value: unknown, pointer: string): void {
  if (typeof value === 'string') {
    if (isStorable(value)) return
    const detail = 'contains a NUL character or an unpaired surrogate'
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
