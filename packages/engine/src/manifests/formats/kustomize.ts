import { componentSteps, hasOverlay } from '../component-steps.ts'
import { EVERYTHING, type Format, type Place } from '../format-type.ts'
import { originOf } from '../gitops-origin.ts'
import { gitOpsWarnings } from '../gitops-steps.ts'
import { kustomizeWarnings } from '../kustomize-warnings.ts'
import { componentsOf, overlayOf, transformersPath, writeKustomize } from '../write-kustomize.ts'
import { selectNamespaces } from '../namesakes.ts'
import { describeTarget, type ObjectPatch } from '../object-patch.ts'
import { refusePod } from '../refusals.ts'
import { shellWord } from '../safe-text.ts'
import type { Warning } from '../skips.ts'
import type { WrittenIndex } from '../written-index.ts'

export const kustomize = {
  id: 'kustomize',
  canExpress: { ...EVERYTHING, resources: refusePod('kubectl apply -k') },
  reads: { helmPaths: false, namesakes: true },
  render: (patches, { kustomizeBase, namesakes }) => ({
    ...{ patches, refused: [], warnings: [] },
    files: writeKustomize(patches, kustomizeBase, selectNamespaces(patches, namesakes)),
  }),
  warn: (written, { kustomizeBase }) => [
    ...gitOpsWarnings(written),
    ...written.patches.flatMap(chartWarning),
    ...kustomizeWarnings(written, kustomizeBase),
  ],
  apply: componentSteps,
  verify: (written) => {
    const listedIn = listedPaths(written)
    return (patch, read) => builtPlace(written, patch, { read, listed: listedIn.get(patch) ?? '' })
  },
} as const satisfies Format

/** The transformers file that changes each object. */
const listedPaths = ({ patches }: WrittenIndex) =>
  new Map(
    componentsOf(patches).flatMap((component) => component.own.map((patch) => [patch, transformersPath(component)])),
  )

/** A chart renders the object, so no kustomization builds it. */
function chartWarning({ live, target, recommendationIds }: ObjectPatch): Warning[] {
  if (!live || !originOf(live).helm) return []
  const message = `${describeTarget(target)}: a Helm chart creates this object. A component changes it only if kustomize renders the chart; otherwise use the format helm. Argo CD and Flux ignore components for a chart, so this manifest has no lines for them.`
  return [{ code: 'made_by_helm', message, recommendationIds }]
}

function builtPlace(
  written: WrittenIndex,
  patch: ObjectPatch,
  { read, listed }: { read: string; listed: string },
): Place {
  const overlay = { word: shellWord(overlayOf(patch)), needs: [], name: 'the overlay', hint: '' }
  const isOverlay = hasOverlay(written, [patch])
  const { word, needs, name, hint } = isOverlay ? overlay : written.kustomizationOf(patch)
  const { kind, name: objectName } = patch.target
  const entry = isOverlay ? 'the overlay lists its component' : `kustomization.yaml lists ${listed} under transformers`
  return {
    tool: 'kustomize',
    hint,
    source: {
      command: `kubectl kustomize ${word}`,
      read,
      needs,
      where: `the build of ${name}`,
      namespaces: written.selectedNamespacesOf(patch),
      reasons: {
        failed: `kubectl kustomize failed; its message is above. If the test of /metadata/name failed, the target also selects another object with the same base. Request an overlay (kustomize.base) over the directory that builds only ${kind} ${objectName}. List the overlay instead of that directory.`,
        absent:
          'Targets use the name in the cluster. If another overlay adds namePrefix or nameSuffix to this directory, use the directory of that overlay. If Argo CD or Flux adds them, the local build does not show the final name: run the kubectl check after the rollout.',
        different: `Check that ${entry}, and that no later entry sets the same field. A component runs before namePrefix and nameSuffix, so it does not find the final name.`,
      },
    },
  }
}
