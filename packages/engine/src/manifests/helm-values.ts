import { groupBy } from '../group-by.ts'
import { directoryOf, fileNameOf, selectionOf } from './file-paths.ts'
import { originOf } from './gitops-origin.ts'
import { PathClaims, placesOf, type DeclaredPath, type HelmPlace } from './helm-places.ts'
import { writeJsonPatch } from './write-json-patch.ts'
import { yamlMedia, type ManifestFile, type PathSource } from './manifest-file.ts'
import { idsOf, kustomizeTarget } from './write-kustomize.ts'
import { describeTarget, type ObjectPatch } from './object-patch.ts'
import { pathPart } from './safe-text.ts'
import type { Refusal, Warning } from './skips.ts'
import { setAt, type ManifestDocument } from './write-strategic-merge.ts'

export type HelmResult = {
  readonly files: readonly ManifestFile[]
  readonly refused: readonly { readonly patch: ObjectPatch; readonly refusal: Refusal }[]
  readonly warnings: readonly Warning[]
}

type Release = { readonly values: ManifestDocument; readonly patches: ObjectPatch[]; readonly sources: Set<PathSource> }

/** Paths that are stored for other workloads of the release of a patch. */
export type StoredClaims = (patch: ObjectPatch) => readonly Pick<HelmPlace, 'at' | 'owner' | 'source'>[]

type Placed = { readonly patch: ObjectPatch; readonly stem: string; readonly places: readonly HelmPlace[] }

/** One values file per release with the changed keys only. Without a known path: a post-renderer for Flux. */
export function writeHelm(patches: readonly ObjectPatch[], declared: DeclaredPath, stored: StoredClaims): HelmResult {
  const refused: { patch: ObjectPatch; refusal: Refusal }[] = []
  const placed: Placed[] = []
  for (const patch of patches) {
    const places = placesOf(patch, declared)
    if ('code' in places) refused.push({ patch, refusal: places })
    else placed.push({ patch, stem: stemOf(patch), places })
  }
  const claims = claimsOf(placed, stored)
  const releases = new Map<string, Release>()
  const warnings: Warning[] = []
  for (const { patch, stem, places } of placed.filter((each) => each.places.length > 0)) {
    const refusal = claims.get(stem)?.refusalFor(places)
    if (refusal) {
      refused.push({ patch, refusal })
      continue
    }
    addPlaces(releases, stem, patch, places)
    warnings.push(...places.flatMap((place) => doubtWarning(patch, place)))
  }
  const unplaced = placed.filter(({ places }) => places.length === 0).map(({ patch }) => patch)
  const files = [
    ...[...releases].map(([stem, release]) => valuesFile(stem, release)),
    ...[...groupBy(unplaced, postRenderersOf)].flatMap(([stem, own]) => postRenderers(stem, own)),
  ]
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), refused, warnings }
}

/**
 * By release. All claims are known before the first value is written, so that order does not decide between two claims.
 */
function claimsOf(placed: readonly Placed[], stored: StoredClaims): ReadonlyMap<string, PathClaims> {
  const claims = new Map<string, PathClaims>()
  for (const { patch, stem, places } of placed) {
    const own = claims.get(stem) ?? new PathClaims()
    claims.set(stem, own)
    for (const place of [...places, ...stored(patch)]) own.add(place)
  }
  return claims
}

/** Explains why a verified path is no longer treated as verified. */
function doubtWarning({ target, recommendationIds }: ObjectPatch, { at, container, doubt }: HelmPlace): Warning[] {
  if (doubt === undefined) return []
  const message = `${describeTarget(target)}: ${at.join('.')} of container ${container} was verified ${doubt}. Verify the path again (PUT /api/v1/gitops/helm-paths), or run the verify command before you commit.`
  return [{ code: 'helm_proof_outdated', message, recommendationIds }]
}

function addPlaces(
  releases: Map<string, Release>,
  stem: string,
  patch: ObjectPatch,
  places: readonly HelmPlace[],
): void {
  const release: Release = releases.get(stem) ?? { values: {}, patches: [], sources: new Set() }
  releases.set(stem, release)
  release.patches.push(patch)
  for (const { at, changes, source } of places) {
    release.sources.add(source)
    for (const { section, resource, to } of changes) setAt(release.values, [...at, section, resource], to)
  }
}

/** The path of the values file of a release, without the suffix of the selection. */
function stemOf({ live, target, clusterName }: ObjectPatch): string {
  const release = live ? originOf(live).helm?.release : undefined
  return `${directoryOf(clusterName, target.namespace)}/${release == null ? fileNameOf(target) : pathPart(release)}`
}

function valuesFile(stem: string, { values, patches, sources }: Release): ManifestFile {
  const recommendationIds = idsOf(patches)
  const pathSource =
    (['assumed', 'guessed', 'declared', 'verified'] as const).find((source) => sources.has(source)) ?? 'guessed'
  const [first] = patches
  return {
    path: `${stem}.${selectionOf(recommendationIds)}.values.yaml`,
    syntax: 'yaml',
    mediaType: yamlMedia,
    comment: [
      'Changed values only. Pass this file after your own values and after earlier Plimsoll values files, which stay in effect.',
      'Delete this file once your own values contain the change.',
      sourceWords[pathSource],
    ],
    content: values,
    target: patches.length === 1 && first ? first.target : null,
    recommendationIds,
    pathSource,
  }
}

const sourceWords = {
  verified: 'Rendering the chart verified the values path.',
  declared: 'The values path was declared for the workload.',
  guessed: 'The values path is a guess: run the verify command before you commit.',
  assumed:
    'The workload has no Helm label. The values path is assumed: run the verify command with your chart before you commit.',
}

/** Flux renders the chart and patches the output, so no values path is needed. One list per HelmRelease. */
function postRenderers(stem: string, patches: readonly ObjectPatch[]): ManifestFile[] {
  const [first] = patches
  const recommendationIds = idsOf(patches)
  const flux = first?.live ? originOf(first.live).flux : null
  if (!first || !flux) return []
  return [
    {
      path: `${stem}.${selectionOf(recommendationIds)}.post-renderers.yaml`,
      syntax: 'yaml',
      mediaType: yamlMedia,
      comment: [
        'The values path is unknown. Add these postRenderers to the HelmRelease instead, after its existing postRenderers.',
      ],
      content: {
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        kind: 'HelmRelease',
        metadata: { name: flux.name, namespace: flux.namespace },
        ...postRenderersFor(patches),
      },
      target: patches.length === 1 ? first.target : null,
      recommendationIds,
      pathSource: 'none',
    },
  ]
}

/** The lines of a HelmRelease that patch the rendered chart. */
export const postRenderersFor = (patches: readonly ObjectPatch[]) => ({
  spec: { postRenderers: [{ kustomize: { patches: patches.map(postPatch) } }] },
})

const postPatch = (patch: ObjectPatch) => ({
  target: kustomizeTarget(patch.target),
  patch: `${JSON.stringify(writeJsonPatch(patch), null, 2)}\n`,
})

/** A HelmRelease may create objects in several namespaces. */
function postRenderersOf({ live, clusterName }: ObjectPatch): string {
  const { namespace = '', name = '' } = (live && originOf(live).flux) ?? {}
  return `${directoryOf(clusterName, namespace)}/${fileNameOf({ kind: 'HelmRelease', name })}`
}
