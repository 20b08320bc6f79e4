import { EVERYTHING, type Format, type Place, type RenderedFiles, type RenderOptions } from '../format-type.ts'
import { originOf } from '../gitops-origin.ts'
import { gitOpsWarnings } from '../gitops-steps.ts'
import { helmSteps } from '../helm-steps.ts'
import { writeHelm } from '../helm-values.ts'
import { helmTextOf, type HelmTextOf } from '../helm-text.ts'
import type { ManifestFile } from '../manifest-file.ts'
import type { ObjectPatch } from '../object-patch.ts'
import { refuseOtherTarget, refusePod, unknownToCharts } from '../refusals.ts'
import { shellWord } from '../safe-text.ts'
import { refuse, type Warning } from '../skips.ts'
import { namespaceFlag, type WrittenIndex } from '../written-index.ts'

export const helm = {
  id: 'helm',
  canExpress: {
    ...EVERYTHING,
    resources: refusePod('helm upgrade'),
    fields: () => refuse('helm_path_unknown', unknownToCharts, 'kustomize'),
    pairing: refuseOtherTarget,
  },
  reads: { helmPaths: true, namesakes: false },
  render,
  warn: (written) => [
    ...written.files.flatMap(guessWarning),
    ...written.files.flatMap((file) => installedWarning(file, written.patchOf(file))),
    ...gitOpsWarnings(written),
  ],
  apply: (written) => helmSteps(written, helmTextOf(written)),
  verify: (written) => {
    const helmWords = helmTextOf(written)
    return (patch, read) => renderedPlace(written, patch, read, helmWords)
  },
} as const satisfies Format

function render(patches: readonly ObjectPatch[], { declaredPath, storedClaims }: RenderOptions): RenderedFiles {
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

function guessWarning({ pathSource, path, recommendationIds }: ManifestFile): Warning[] {
  if (pathSource === 'assumed') {
    const message = `${path}: the workload has no Helm label, so the values path is assumed. Run the verify command with your chart. If you do not use Helm, choose another format.`
    return [{ code: 'helm_path_assumed', message, recommendationIds }]
  }
  if (pathSource !== 'guessed') return []
  const message = `${path}: the values path is a guess. Run the verify command before you commit.`
  return [{ code: 'helm_path_guessed', message, recommendationIds }]
}

/** Argo CD renders charts without installing a release and Flux labels its releases, so neither manages this release. */
function installedWarning({ path, recommendationIds }: ManifestFile, patch: ObjectPatch | undefined): Warning[] {
  const origin = patch?.live ? originOf(patch.live) : null
  if (origin?.helm?.isInstalled !== true || origin.argo !== null || origin.flux) return []
  const message = `${path}: Helm installed this release, and no label or annotation names Argo CD or Flux. If Argo CD or Flux takes over the release, add this file to its values.`
  return [{ code: 'installed_by_helm', message, recommendationIds }]
}

function renderedPlace(written: WrittenIndex, patch: ObjectPatch, read: string, helmWords: HelmTextOf): Place | null {
  const file = written.fileOf(patch)
  if (!file || file.pathSource === 'none') return null
  const { release, chart, needs, version, values, hint, valuesHint } = helmWords(file, patch)
  return {
    tool: 'helm',
    hint: `${hint}${valuesHint}`,
    source: {
      command: `helm template ${release} ${chart}${namespaceFlag(patch.target)}${version} ${values} -f ${shellWord(file.path)}`,
      read,
      needs,
      where: 'the rendered chart',
      reasons: {
        failed: 'helm template failed; its message is above.',
        absent: 'Check the release name, the chart and your own values.',
        different:
          'The chart does not read this values path. Store the right path with PUT /api/v1/gitops/helm-paths, or use the format kustomize. The path of a subchart starts with its name or alias.',
      },
    },
  }
}
