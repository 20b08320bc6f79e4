import type { JsonPatchOperation } from './json-patch.ts'
import type { ManifestTarget } from './object-patch.ts'
import type { ManifestDocument } from './strategic-merge.ts'

/** A file as a value: how it is written down is decided elsewhere, once for all of them. */
export type ManifestFile = {
  readonly path: string
  readonly syntax: 'json' | 'yaml'
  readonly mediaType: string
  /** Lines above the content, where the syntax allows comments. */
  readonly comment: readonly string[]
  readonly content: ManifestDocument | readonly JsonPatchOperation[]
  /** Null for what is about several objects, such as a kustomization. */
  readonly target: ManifestTarget | null
  readonly recommendationIds: readonly string[]
  /** How the place in the values of a Helm chart was found. */
  readonly pathSource?: PathSource
}

/** `verified`: a rendering proved it. `declared`: somebody said so. `guessed`: usual. `none`: not known, so not used. */
export type PathSource = 'verified' | 'declared' | 'guessed' | 'none'

export const jsonPatchMedia = 'application/json-patch+json'
export const yamlMedia = 'application/yaml'
