import type { JsonPatchOperation } from './write-json-patch.ts'
import type { ManifestTarget } from './object-patch.ts'
import type { ManifestDocument } from './write-strategic-merge.ts'

/** A file as a value. Serialization happens in one place for all files. */
export type ManifestFile = {
  readonly path: string
  readonly syntax: 'json' | 'yaml'
  readonly mediaType: string
  /** Lines above the content, if the syntax allows comments. */
  readonly comment: readonly string[]
  readonly content: ManifestDocument | readonly JsonPatchOperation[]
  /** Null for files about several objects, such as a kustomization. */
  readonly target: ManifestTarget | null
  readonly recommendationIds: readonly string[]
  /** How the path in the values of a Helm chart was found. */
  readonly pathSource?: PathSource
}

/**
 * `verified`: a rendering proved it. `declared`: a user set it. `guessed`: the usual path of a known chart. `assumed`: the
 * usual path, although no label names a chart. `none`: unknown and not
 * used.
 */
export type PathSource = 'verified' | 'declared' | 'guessed' | 'assumed' | 'none'

export const jsonPatchMedia = 'application/json-patch+json'
export const yamlMedia = 'application/yaml'
