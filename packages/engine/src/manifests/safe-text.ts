import { shortHash } from './short-hash.ts'

const subdomain = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/
const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/
const kindName = /^[A-Z][A-Za-z0-9]{0,62}$/
const apiVersionName = /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?v[0-9][a-z0-9]{0,20}$/

/** As Kubernetes names objects. What is named otherwise cannot be in a cluster, whatever somebody sends us. */
export const isObjectName = (text: string) => subdomain.test(text) && !text.includes('..')
export const isContainerName = (text: string) => label.test(text)
export const isNamespaceName = (text: string) => label.test(text)
export const isKindName = (text: string) => kindName.test(text)
export const isApiVersion = (text: string) => apiVersionName.test(text)

/** So that a file's name fits into the archive formats that everybody reads. */
const partLengthMax = 52

/** A part of a file's path. Different names stay different, on file systems that fold case as well. */
export function pathPart(name: string): string {
  if (isObjectName(name) && name.length <= partLengthMax) return name
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 40)
  return [readable, shortHash(name)].filter((part) => part !== '').join('-')
}

/** One word of a shell's command line, whatever it holds. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Text in a cell of a Markdown table: no markup of its own, one line. */
export const markdownCell = (text: string) =>
  // Most cells are plain, and there are thousands of them.
  /^(?:[^\s\\`*_{}[\]<>|#~&]| (?!\s))*$/.test(text)
    ? text
    : text.replace(/[\\`*_{}[\]<>|#~&]/g, String.raw`\$&`).replace(/\s+/g, ' ')
