import { shortHash } from './short-hash.ts'

const subdomain = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/
const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/
const kindName = /^[A-Z][A-Za-z0-9]{0,62}$/
const apiVersionName = /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?v[0-9][a-z0-9]{0,20}$/

/** A valid Kubernetes object name. An object with another name cannot exist, whatever the agent sends. */
export const isObjectName = (text: string) => subdomain.test(text) && !text.includes('..')
export const isContainerName = (text: string) => label.test(text)
export const isNamespaceName = (text: string) => label.test(text)
export const isKindName = (text: string) => kindName.test(text)
export const isApiVersion = (text: string) => apiVersionName.test(text)

/** So that file names fit common archive formats. */
const partLengthMax = 52

/** A part of a file path. Different names stay different, also on case-insensitive file systems. */
export function pathPart(name: string): string {
  if (isObjectName(name) && name.length <= partLengthMax) return name
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 40)
  return [readable, shortHash(name)].filter((part) => part !== '').join('-')
}

/** One quoted word of a shell command, for any text. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Text for a cell of a Markdown table: escaped, on one line. */
export const markdownCell = (text: string) =>
  // Fast path: most of the thousands of cells are plain.
  /^(?:[^\s\\`*_{}[\]<>|#~&]| (?!\s))*$/.test(text)
    ? text
    : text.replace(/[\\`*_{}[\]<>|#~&]/g, String.raw`\$&`).replace(/\s+/g, ' ')
