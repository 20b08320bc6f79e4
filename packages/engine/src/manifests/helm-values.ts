import { groupBy } from '../group-by.ts'
import { directoryOf, fileNameOf, selectionOf } from './file-paths.ts'
import { unknownToCharts } from './format-rules.ts'
import { originOf, type Origin } from './gitops-marks.ts'
import { writeJsonPatch } from './json-patch.ts'
import type { LiveContainer, LiveWorkload } from './live-workload.ts'
import { yamlMedia, type ManifestFile, type PathSource } from './manifest-file.ts'
import { idsOf, kustomizeTarget } from './kustomize.ts'
import { describeTarget, type ContainerPatch, type ObjectPatch } from './object-patch.ts'
import { isObjectName, pathPart } from './safe-text.ts'
import { refuse, type Refusal, type Warning } from './skips.ts'
import { setAt, type ManifestDocument } from './strategic-merge.ts'

export type ValuesPath = {
  readonly path: readonly string[]
  readonly source: Exclude<PathSource, 'none'>
  /** Why a proof that there was does not hold any more, as what follows "was proved". */
  readonly doubt?: string
}

/** What somebody has said about a container's place in the values; undefined where nobody has. */
export type DeclaredPath = (patch: ObjectPatch, container: LiveContainer) => ValuesPath | undefined

export type HelmResult = {
  readonly files: readonly ManifestFile[]
  readonly refused: readonly { readonly patch: ObjectPatch; readonly refusal: Refusal }[]
  readonly warnings: readonly Warning[]
}

type Release = {
  readonly values: ManifestDocument
  /** Which container takes its values from which place. */
  readonly owners: Map<string, string>
  readonly patches: ObjectPatch[]
  readonly sources: Set<PathSource>
}

/** One file of values per release, with the changed keys only; where no path is known, what Flux renders afterwards. */
export function writeHelm(patches: readonly ObjectPatch[], declared: DeclaredPath): HelmResult {
  const releases = new Map<string, Release>()
  const unplaced: ObjectPatch[] = []
  const refused: { patch: ObjectPatch; refusal: Refusal }[] = []
  const warnings: Warning[] = []
  for (const patch of patches) {
    const places = placesOf(patch, declared)
    const refusal = 'code' in places ? places : addPlaces(releases, patch, places)
    if (refusal) refused.push({ patch, refusal })
    else if ('length' in places && places.length === 0) unplaced.push(patch)
    else if ('length' in places) warnings.push(...places.flatMap((place) => doubtWarning(patch, place)))
  }
  const files = [
    ...[...releases].map(([stem, release]) => valuesFile(stem, release)),
    ...[...groupBy(unplaced, postRenderersOf)].flatMap(([stem, own]) => postRenderers(stem, own)),
  ]
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), refused, warnings }
}

/** Whoever has proved a path wants to know why that does not count any more. */
function doubtWarning({ target, recommendationIds }: ObjectPatch, { at, container, doubt }: Place): Warning[] {
  if (doubt === undefined) return []
  const message = `${describeTarget(target)}: ${at.join('.')} of container ${container} was proved ${doubt}. It counts as declared until it is proved again (PUT /api/v1/gitops/helm-paths); run the verify command before you commit.`
  return [{ code: 'helm_proof_outdated', message, recommendationIds }]
}

function addPlaces(releases: Map<string, Release>, patch: ObjectPatch, places: readonly Place[]): Refusal | undefined {
  if (places.length === 0) return undefined
  const stem = stemOf(patch)
  const release: Release = releases.get(stem) ?? { values: {}, owners: new Map(), patches: [], sources: new Set() }
  const keys = places.map(({ at }) => at.join('\n'))
  const shared = places.find(({ owner }, index) => {
    const key = keys[index] ?? ''
    return keys.indexOf(key) !== index || (release.owners.get(key) ?? owner) !== owner
  })
  if (shared) return sharedRefusal(shared.at)
  releases.set(stem, release)
  release.patches.push(patch)
  for (const { at, owner, changes, source } of places) {
    release.owners.set(at.join('\n'), owner)
    release.sources.add(source)
    for (const { section, resource, to } of changes) setAt(release.values, [...at, section, resource], to)
  }
  return undefined
}

const sharedRefusal = (at: readonly string[]) =>
  refuse(
    'helm_path_shared',
    `${at.join('.')} would need two values. Store for each workload where its values are (PUT /api/v1/gitops/helm-paths), or use a kustomization.`,
    'kustomize',
  )

type Place = {
  at: readonly string[]
  owner: string
  container: string
  changes: ContainerPatch['changes']
  source: PathSource
  doubt: string | undefined
}

/** Empty: no path is known. Part of a workload is never left out: either all of its containers have a place or none. */
function placesOf(patch: ObjectPatch, declared: DeclaredPath): Place[] | Refusal {
  const { live, target } = patch
  if (!live) return refuse('helm_path_unknown', unknownToCharts, 'kustomize')
  const origin = originOf(live)
  const places = patch.containers.map(({ container, changes }) => {
    const found = declared(patch, container) ?? annotated(live, container) ?? guess(live, origin, container)
    return (
      found && {
        at: found.path,
        source: found.source,
        doubt: found.doubt,
        container: container.name,
        changes,
        owner: `${target.kind} ${target.name} ${container.name}`,
      }
    )
  })
  const known = places.filter((place) => place !== undefined)
  if (known.length === places.length) return known
  if (origin.flux?.kind === 'HelmRelease') return []
  return origin.helm
    ? refuse(
        'helm_path_unknown',
        `Say where in the values its resources are: ${howToSay}. Or use a kustomization.`,
        'kustomize',
      )
    : refuse(
        'not_helm',
        `If it does, say where in the values its resources are: ${howToSay}. If it does not, use the format of your manifests: kustomize, strategic-merge, json-patch or yaml.`,
        'kustomize',
      )
}

const howToSay =
  'helm.values_path in the request, or a path that is stored for the workload (PUT /api/v1/gitops/helm-paths)'

/** `plimsoll.dev/helm-values-path`, for one container with its name as ending. */
function annotated({ annotations }: LiveWorkload, { name }: LiveContainer): ValuesPath | undefined {
  const mark = 'plimsoll.dev/helm-values-path'
  const path = parseValuesPath(annotations[`${mark}.${name}`] ?? annotations[mark] ?? '')
  return path && { path, source: 'declared' }
}

/** What most charts do; always marked as a guess. */
function guess(live: LiveWorkload, { helm }: Origin, container: LiveContainer): ValuesPath | undefined {
  const isOnly = live.containers.filter(({ list }) => list === 'containers').length === 1
  if (!helm || !isOnly || container.list !== 'containers') return undefined
  const component = live.labels['app.kubernetes.io/component']
  const path = component === undefined || !isObjectName(component) ? ['resources'] : [component, 'resources']
  return { path, source: 'guessed' }
}

/** `a.b\.c.resources` as Helm reads it; undefined for what is no path. */
export function parseValuesPath(text: string): string[] | undefined {
  const parts = text.split(/(?<!\\)\./).map((part) => part.replaceAll(String.raw`\.`, '.'))
  const isPath = parts.length <= 20 && parts.every((part) => /^[A-Za-z0-9_][-A-Za-z0-9_./]{0,100}$/.test(part))
  return isPath ? parts : undefined
}

/** Where the values of a release lie, without what tells one selection from another. */
function stemOf({ live, target, clusterName }: ObjectPatch): string {
  const release = live ? originOf(live).helm?.release : undefined
  return `${directoryOf(clusterName, target.namespace)}/${release == null ? fileNameOf(target) : pathPart(release)}`
}

function valuesFile(stem: string, { values, patches, sources }: Release): ManifestFile {
  const recommendationIds = idsOf(patches)
  const pathSource = (['guessed', 'declared', 'verified'] as const).find((source) => sources.has(source)) ?? 'guessed'
  const [first] = patches
  return {
    path: `${stem}.${selectionOf(recommendationIds)}.values.yaml`,
    syntax: 'yaml',
    mediaType: yamlMedia,
    comment: [
      'Values that differ; give this file after your own and after those of earlier changes, which stay in force.',
      'Remove it once its change is in your own values.',
      sourceWords[pathSource],
    ],
    content: values,
    target: patches.length === 1 && first ? first.target : null,
    recommendationIds,
    pathSource,
  }
}

const sourceWords = {
  verified: 'Where they belong was proved by rendering the chart.',
  declared: 'Where they belong was declared for the workload.',
  guessed: 'Where they belong is a guess: run the verify command before you commit.',
}

/** Flux renders the chart and patches what comes out: no path in the values is needed. One list for each HelmRelease. */
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
        'It is not known where in the values this belongs; add the postRenderers to the HelmRelease instead, after those that are there.',
      ],
      content: {
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        kind: 'HelmRelease',
        metadata: { name: flux.name, namespace: flux.namespace },
        spec: { postRenderers: [{ kustomize: { patches: patches.map(postPatch) } }] },
      },
      target: patches.length === 1 ? first.target : null,
      recommendationIds,
      pathSource: 'none',
    },
  ]
}

const postPatch = (patch: ObjectPatch) => ({
  target: kustomizeTarget(patch.target),
  patch: `${JSON.stringify(writeJsonPatch(patch), null, 2)}\n`,
})

/** A HelmRelease may make what lies in several namespaces. */
function postRenderersOf({ live, clusterName }: ObjectPatch): string {
  const { namespace = '', name = '' } = (live && originOf(live).flux) ?? {}
  return `${directoryOf(clusterName, namespace)}/${fileNameOf({ kind: 'HelmRelease', name })}`
}
