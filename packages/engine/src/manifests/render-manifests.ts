import { applyStepsOf } from './apply-commands.ts'
import { contextWarnings } from './cluster-contexts.ts'
import { directoryOf, fileNameOf } from './file-paths.ts'
import { originOf, type Origin } from './gitops-marks.ts'
import type { DeclaredPath } from './helm-places.ts'
import { writeHelm, type StoredClaims } from './helm-values.ts'
import { helmWordsOf } from './helm-words.ts'
import { writeJsonPatch } from './json-patch.ts'
import { kustomizeWarnings } from './kustomize-warnings.ts'
import { patchFile, writeKustomize } from './kustomize.ts'
import { jsonPatchMedia, yamlMedia, type ManifestFile } from './manifest-file.ts'
import { describeTarget, isBuiltIn, type NamedTarget, type ObjectPatch } from './object-patch.ts'
import { planPatches, type WantedChange } from './plan-patches.ts'
import { writePullRequest, type PullRequest, type ReviewFacts } from './pull-request.ts'
import { fieldManagerOf, writePartialManifest } from './server-side-apply.ts'
import type { ManifestFormat, Skip, Warning } from './skips.ts'
import { verifyStepsOf, type VerifyStep } from './verify-commands.ts'
import { indexWritten, objectWords, type ApplyStep, type Written } from './written-index.ts'

export type ManifestRequest = {
  readonly format: ManifestFormat
  readonly wanted: readonly WantedChange[]
  readonly facts: readonly ReviewFacts[]
  /** What was left out before, such as what is not there. */
  readonly skipped: readonly Skip[]
  readonly declaredPath: DeclaredPath
  readonly storedClaims: StoredClaims
  readonly chartOf: Written['chartOf']
  /** The directory beside `plimsoll` that an overlay is to build; null: no overlay. */
  readonly kustomizeBase: string | null
  /** Workloads that are not wanted, and called as some that are. */
  readonly namesakes: readonly NamedTarget[]
}

export type RenderedManifests = {
  readonly files: readonly ManifestFile[]
  readonly apply: readonly ApplyStep[]
  readonly verify: readonly VerifyStep[]
  readonly skipped: readonly Skip[]
  readonly warnings: readonly Warning[]
  /** Null: nothing is changed, so there is nothing to review. */
  readonly pullRequest: PullRequest | null
}

/** Everything that can be said about some recommendations in one format. The same request gives the same value. */
export function renderManifests(request: ManifestRequest): RenderedManifests {
  const { format, chartOf } = request
  const plan = planPatches(request.wanted, format)
  const { files, patches, refused, warnings } = writeFiles(request, plan.patches)
  const skipped = [...request.skipped, ...plan.skipped, ...refused].sort((a, b) =>
    a.recommendationId < b.recommendationId ? -1 : 1,
  )
  const written = indexWritten({ format, patches, files, chartOf })
  const kept = new Set(patches.flatMap(({ recommendationIds }) => recommendationIds))
  const notices = [
    ...plan.warnings.filter(({ recommendationIds }) => recommendationIds.some((id) => kept.has(id))),
    ...patches.flatMap((patch) => formatWarnings(format, patch)),
    ...(format === 'kustomize' ? kustomizeWarnings(patches, files, request.namesakes) : []),
    ...warnings,
    ...files.flatMap(guessWarning),
    ...(format === 'helm' ? files.flatMap((file) => installedWarning(file, written.patchOf(file))) : []),
  ]
  const helmWords = format === 'helm' ? helmWordsOf(written) : null
  return {
    files,
    apply: applyStepsOf(written, helmWords),
    verify: verifyStepsOf(written, helmWords),
    skipped,
    warnings: [...notices, ...contextWarnings(patches)],
    // What one person has to set up says nothing to the others who review it.
    pullRequest:
      patches.length === 0 ? null : writePullRequest(format, patches, request.facts, { skipped, warnings: notices }),
  }
}

type WrittenFiles = {
  files: readonly ManifestFile[]
  patches: readonly ObjectPatch[]
  refused: readonly Skip[]
  warnings: readonly Warning[]
}

function writeFiles(
  { format, declaredPath, storedClaims, kustomizeBase }: ManifestRequest,
  patches: readonly ObjectPatch[],
): WrittenFiles {
  const all = { patches, refused: [], warnings: [] }
  if (format === 'kustomize') return { ...all, files: writeKustomize(patches, kustomizeBase) }
  if (format !== 'helm') return { ...all, files: patches.map((patch) => fileOf(format, patch)) }
  const { files, refused, warnings } = writeHelm(patches, declaredPath, storedClaims)
  const left = new Set(refused.map(({ patch }) => patch))
  return {
    files,
    patches: patches.filter((patch) => !left.has(patch)),
    refused: refused.flatMap(({ patch, refusal }) =>
      patch.recommendationIds.map((recommendationId) => ({ recommendationId, ...refusal })),
    ),
    warnings,
  }
}

function fileOf(format: Exclude<ManifestFormat, 'kustomize' | 'helm'>, patch: ObjectPatch): ManifestFile {
  const { target, recommendationIds } = patch
  const directory = directoryOf(patch.clusterName, target.namespace)
  if (format === 'strategic-merge') return patchFile(patch, directory)
  const common = { target, recommendationIds }
  if (format === 'json-patch') {
    const path = `${directory}/${fileNameOf(target, 'patch.json')}`
    return { ...common, path, syntax: 'json', mediaType: jsonPatchMedia, comment: [], content: writeJsonPatch(patch) }
  }
  const path = `${directory}/${fileNameOf(target, 'yaml')}`
  return {
    ...common,
    path,
    syntax: 'yaml',
    mediaType: yamlMedia,
    comment: [
      'Only what changes; everything else stays as it is. Apply with:',
      `kubectl apply --server-side --field-manager=${fieldManagerOf(patch)} --force-conflicts -f ${path}`,
      'unless kubectl apply without --server-side made the object, whose other fields that would take away. Then with:',
      `kubectl patch ${objectWords(target)} --type=${isBuiltIn(target) ? 'strategic' : 'merge'} --patch-file ${path}`,
    ],
    content: writePartialManifest(patch),
  }
}

/** What a tool keeps in line with Git is put back when it is changed in the cluster, and what a chart makes is no kustomization. */
function formatWarnings(format: ManifestFormat, { live, target, recommendationIds }: ObjectPatch): Warning[] {
  const origin = live && originOf(live)
  if (!origin || format === 'helm') return []
  const object = describeTarget(target)
  if (format === 'kustomize') {
    const message = `${object}: a Helm chart makes it. A component reaches it only where kustomize renders the chart; else use the format helm. Neither an Application nor a HelmRelease that renders a chart takes components, so there are no lines for Argo CD or Flux about it.`
    return origin.helm ? [{ code: 'made_by_helm', message, recommendationIds }] : []
  }
  const keeper = keeperOf(origin)
  const message = `${object}: ${keeper} makes it and would undo a change in the cluster. Change what it is made from.`
  return keeper === '' ? [] : [{ code: 'managed_by_gitops', message, recommendationIds }]
}

function keeperOf({ argo, flux, helm }: Origin): string {
  if (argo !== null) return `the Argo CD application ${argo}`
  if (flux) return `the Flux ${flux.kind} ${flux.name}`
  return helm ? 'its Helm release' : ''
}

function guessWarning({ pathSource, path, recommendationIds }: ManifestFile): Warning[] {
  if (pathSource !== 'guessed') return []
  const message = `${path}: where in the values this belongs is a guess. Run the verify command before you commit.`
  return [{ code: 'helm_path_guessed', message, recommendationIds }]
}

/** Argo CD renders charts without installing them and Flux leaves its own mark, so neither of them made this release. */
function installedWarning({ path, recommendationIds }: ManifestFile, patch: ObjectPatch | undefined): Warning[] {
  const origin = patch?.live ? originOf(patch.live) : null
  if (origin?.helm?.isInstalled !== true || origin.argo !== null || origin.flux) return []
  const message = `${path}: Helm itself has installed the release, and it carries no mark of Argo CD or Flux, so there are no lines for them. If one of them takes it over, give it this file too.`
  return [{ code: 'installed_by_helm', message, recommendationIds }]
}
