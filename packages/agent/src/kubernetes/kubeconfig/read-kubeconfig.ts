import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { parse } from 'yaml'

/** A list entry of a kubeconfig and its file. Paths are relative to that file. */
export type Entry = { readonly name: string; readonly file: string; readonly fields: Readonly<Record<string, unknown>> }

export type Kubeconfig = {
  /** The existing files as one text for messages. */
  readonly path: string
  readonly clusters: ReadonlyMap<string, Entry>
  readonly users: ReadonlyMap<string, Entry>
  readonly contexts: ReadonlyMap<string, Entry>
  readonly currentContext: string
}

/** A readable error: the kubeconfig does not define a cluster. */
export class KubeconfigError extends Error {}

/**
 * Merges several files like kubectl: the first file that defines a cluster, user, context or current context wins.
 * Missing files are ignored, but a single file must exist.
 */
export async function readKubeconfig(paths: readonly string[]): Promise<Kubeconfig> {
  const files = [...new Set(paths.filter((path) => path !== ''))]
  const contents: [file: string, content: string][] = []
  for (const file of files) {
    const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && files.length > 1) return undefined
      throw new KubeconfigError(`The kubeconfig ${file} cannot be read: ${error.message}.`)
    })
    if (content !== undefined) contents.push([file, content])
  }
  if (contents.length === 0) throw new KubeconfigError(`None of the kubeconfig files exists: ${files.join(', ')}.`)
  return mergeKubeconfigs(contents)
}

/** The first file wins. */
export function mergeKubeconfigs(contents: readonly (readonly [file: string, content: string])[]): Kubeconfig {
  const parsed = contents.map(([file, content]) => ({ file, fields: parseFile(file, content) }))
  const merged = (list: string, item: string) => {
    const entries = new Map<string, Entry>()
    for (const { file, fields } of parsed) {
      for (const entry of entriesIn(file, fields, list, item)) {
        if (!entries.has(entry.name)) entries.set(entry.name, entry)
      }
    }
    return entries
  }
  const current = parsed.map(({ fields }) => fields['current-context']).find((name) => typeof name === 'string' && name)
  return {
    path: contents.map(([file]) => file).join(', '),
    clusters: merged('clusters', 'cluster'),
    users: merged('users', 'user'),
    contexts: merged('contexts', 'context'),
    currentContext: typeof current === 'string' ? current : '',
  }
}

/** A text field; undefined if it is absent or empty. */
export function textIn({ name, file, fields }: Entry, field: string): string | undefined {
  const value = fields[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw new KubeconfigError(`The kubeconfig ${file} has a '${field}' of '${name}' that is not a string.`)
}

/** A path relative to its file. */
export function pathIn(entry: Entry, field: string): string | undefined {
  const path = textIn(entry, field)
  return path === undefined ? undefined : besideFile(entry.file, path)
}

export const besideFile = (file: string, path: string) => (isAbsolute(path) ? path : join(dirname(file), path))

/** Base64 data of an embedded certificate or key. */
export function bytesIn(entry: Entry, field: string): Buffer | undefined {
  const text = textIn(entry, field)
  return text === undefined ? undefined : Buffer.from(text, 'base64')
}

export function listIn({ name, file, fields }: Entry, field: string): string[] {
  const value = fields[field] ?? []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new KubeconfigError(`The kubeconfig ${file} has a '${field}' of '${name}' that is not a list of strings.`)
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseFile(file: string, content: string): Record<string, unknown> {
  try {
    const value: unknown = parse(content)
    // As in kubectl, an empty file is an empty configuration.
    if (value === null) return {}
    if (isRecord(value)) return value
  } catch (error) {
    throw new KubeconfigError(`The kubeconfig ${file} cannot be read: ${firstLine(error)}.`)
  }
  throw new KubeconfigError(`The kubeconfig ${file} is not a valid kubeconfig.`)
}

function entriesIn(file: string, fields: Record<string, unknown>, list: string, item: string): Entry[] {
  const value = fields[list] ?? []
  if (!Array.isArray(value))
    throw new KubeconfigError(`The kubeconfig ${file} has a '${list}' field that is not a list.`)
  const names = new Set<string>()
  return value.map((each: unknown) => {
    const { name, [item]: inner } = isRecord(each) ? each : {}
    if (typeof name !== 'string')
      throw new KubeconfigError(`The kubeconfig ${file} has an entry without a name in '${list}'.`)
    if (names.has(name)) throw new KubeconfigError(`The kubeconfig ${file} names '${name}' twice in '${list}'.`)
    names.add(name)
    return { name, file, fields: isRecord(inner) ? inner : {} }
  })
}

/** Removes the colon before the source excerpt and the final period. */
const firstLine = (error: unknown) =>
  (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)).replace(/(?<![:.])[:.]+$/, '')
