import type { PathSource } from './manifest-file.ts'

export type ValuesPath = {
  readonly path: readonly string[]
  readonly source: Exclude<PathSource, 'none'>
  /** Why an earlier proof no longer holds, as text after "was proved". */
  readonly doubt?: string
}

/** `a.b\.c.resources` as Helm reads it; undefined: not a path. */
export function parseValuesPath(text: string): string[] | undefined {
  const parts = text.split(/(?<!\\)\./).map((part) => part.replaceAll(String.raw`\.`, '.'))
  // Setting __proto__ would change every object of the process.
  const isKey = (part: string) => /^[A-Za-z0-9_][-A-Za-z0-9_./]{0,100}$/.test(part) && part !== '__proto__'
  return parts.length <= 20 && parts.every(isKey) ? parts : undefined
}

/** A number is a list position. A values file cannot set one entry: its list replaces the list of the chart. */
export const leadsIntoList = (path: readonly string[]) => path.some((part) => /^\d+$/.test(part))
