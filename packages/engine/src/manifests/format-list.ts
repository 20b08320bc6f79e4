import type { Format } from './format-type.ts'
import { helm } from './formats/helm.ts'
import { jsonPatch } from './formats/json-patch.ts'
import { kustomize } from './formats/kustomize.ts'
import { strategicMerge } from './formats/strategic-merge.ts'
import { yaml } from './formats/yaml.ts'
import type { ManifestFormat } from '../vocabulary/manifest-formats.ts'

/** A new format is a file in `formats/`, a line here, and its ID in `vocabulary/manifest-formats.ts`. */
export const FORMATS: Readonly<Record<ManifestFormat, Format>> = {
  [helm.id]: helm,
  [jsonPatch.id]: jsonPatch,
  [kustomize.id]: kustomize,
  [strategicMerge.id]: strategicMerge,
  [yaml.id]: yaml,
}
