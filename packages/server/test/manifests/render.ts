import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderManifests, type RenderedManifests, type ValuesPath, type WantedChange } from '@plimsoll/engine/manifests'
import type { ManifestFormat } from '@plimsoll/engine/vocabulary'
import type { NamedTarget } from '@plimsoll/engine/testing'
import { writeText } from '../../src/manifests/write-text.ts'

export type RenderOptions = {
  valuesPath?: ValuesPath
  chart?: string | null
  base?: string
  namesakes?: readonly NamedTarget[]
}

export const render = (
  format: ManifestFormat,
  wanted: readonly WantedChange[],
  { valuesPath, chart, base, namesakes = [] }: RenderOptions = {},
): RenderedManifests =>
  renderManifests({
    format,
    wanted,
    facts: [],
    skipped: [],
    declaredPath: () => valuesPath,
    storedClaims: () => [],
    chartOf: () => chart ?? null,
    kustomizeBase: base ?? null,
    namesakes,
  })

export function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** As the archive is unpacked. */
export function unpack(directory: string, { files }: Pick<RenderedManifests, 'files'>): void {
  for (const file of files) put(join(directory, file.path), writeText(file))
}

/** The same recommendations, about workloads of another namespace. */
export const inNamespace = (namespace: string, wanted: readonly WantedChange[]): WantedChange[] =>
  wanted.map((each) => ({
    ...each,
    live: typeof each.live === 'object' ? { ...each.live, namespace } : each.live,
    change: { ...each.change, object: { ...each.change.object, namespace } },
  }))
