import type { CheckSource } from './check-command.ts'
import type { DeclaredPath } from './helm-places.ts'
import type { StoredClaims } from './helm-values.ts'
import type { LiveWorkload } from './live-workload.ts'
import type { ManifestFile } from './manifest-file.ts'
import type { FieldPatch, NamedTarget, ObjectPatch, ResourceChange } from './object-patch.ts'
import type { Pair } from './pair-autoscaler.ts'
import type { Refusal, Skip, Warning } from './skips.ts'
import type { ApplyStep, VerifyStep, WrittenIndex } from './written-index.ts'
import type { ManifestFormat } from '../vocabulary/manifest-formats.ts'

/**
 * One output format for changes. A new format is one file in `formats/`, one line in
 * `vocabulary/manifest-formats.ts` and one line in `format-list.ts`; CONTRIBUTING.md lists the rest.
 */
export type Format = {
  readonly id: ManifestFormat
  readonly canExpress: CanExpress
  /** Stored facts that the format uses; the service looks up nothing else. */
  readonly reads: { readonly helmPaths: boolean; readonly namesakes: boolean }
  readonly render: (patches: readonly ObjectPatch[], options: RenderOptions) => RenderedFiles
  /** What the person who commits the files should know. */
  readonly warn: (written: WrittenIndex, options: RenderOptions) => Warning[]
  readonly apply: (written: WrittenIndex) => ApplyStep[]
  /** Where each change can be checked before it is applied; null: nowhere. `read` prints the object. */
  readonly verify: (written: WrittenIndex) => (patch: ObjectPatch, read: string) => Place | null
}

/** Each function returns why the format cannot express a change; undefined: it can. */
export type CanExpress = {
  readonly resources: (live: LiveWorkload, changes: readonly ResourceChange[]) => Refusal | undefined
  readonly fields: (fields: readonly FieldPatch[]) => Refusal | undefined
  /** The target of an autoscaler, in the same change. */
  readonly pairing: (pair: Pair) => Refusal | undefined
}

export const EVERYTHING: CanExpress = {
  resources: () => undefined,
  fields: () => undefined,
  pairing: () => undefined,
}

export type RenderOptions = {
  readonly declaredPath: DeclaredPath
  readonly storedClaims: StoredClaims
  /** The directory beside `plimsoll` that an overlay builds; null: no overlay. */
  readonly kustomizeBase: string | null
  /** Workloads outside the request that share a name with a workload inside it. */
  readonly namesakes: readonly NamedTarget[]
}

export type RenderedFiles = {
  readonly files: readonly ManifestFile[]
  /** Patches that are in a file. */
  readonly patches: readonly ObjectPatch[]
  readonly refused: readonly Skip[]
  readonly warnings: readonly Warning[]
}

/** Where to check, and what the reader sets before. */
export type Place = { readonly tool: VerifyStep['tool']; readonly source: CheckSource; readonly hint: string }

/** All patches, one file each. */
export const eachPatch = (
  patches: readonly ObjectPatch[],
  fileOf: (patch: ObjectPatch) => ManifestFile,
): RenderedFiles => ({ files: patches.map(fileOf), patches, refused: [], warnings: [] })
