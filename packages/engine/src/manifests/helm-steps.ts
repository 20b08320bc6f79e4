import { groupBy } from '../group-by.ts'
import { originOf } from './gitops-marks.ts'
import type { ManifestFile } from './manifest-file.ts'
import type { ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { namespaceFlag, type ApplyStep, type Written, type WrittenIndex } from './written-index.ts'

/** By the tool that is known to roll the release out; by all of them where none is. */
export function helmSteps(written: WrittenIndex): ApplyStep[] {
  const files = written.files.flatMap((file) => {
    const patch = written.patchOf(file)
    return patch ? [{ file, patch, origin: patch.live ? originOf(patch.live) : null }] : []
  })
  // An Application has one list of value files, whatever it is about.
  const applications = groupBy(files, ({ file, patch, origin }) =>
    origin?.argo == null ? file.path : `${patch.target.clusterId} ${origin.argo}`,
  )
  return [...applications.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    if (first.origin?.argo != null)
      return [
        argoStep(
          first.patch,
          first.origin.argo,
          own.map(({ file }) => file),
        ),
      ]
    return own.flatMap(({ file, patch }) => releaseSteps(written, file, patch))
  })
}

function releaseSteps(written: WrittenIndex, file: ManifestFile, patch: ObjectPatch): ApplyStep[] {
  const origin = patch.live ? originOf(patch.live) : null
  const flux = origin?.flux?.kind === 'HelmRelease' ? origin.flux : null
  if (flux || file.pathSource === 'none') return [fluxStep(written, file, patch, flux)]
  const helm = helmStep(written, file, patch)
  return origin?.helm?.isInstalled === true
    ? [helm]
    : [helm, argoStep(patch, null, [file]), fluxStep(written, file, patch, null)]
}

function helmStep(written: WrittenIndex, file: ManifestFile, patch: ObjectPatch): ApplyStep {
  const { release, chart } = helmWords(written, patch)
  const context = written.contextOf(patch).replace(' --context', ' --kube-context')
  return {
    tool: 'helm',
    clusterId: patch.target.clusterId,
    description: `Rolls the release out with these values on top of its own.${hintOf(written, patch)}${written.contextHintOf(patch)}`,
    command: `helm${context} upgrade ${release} ${chart}${namespaceFlag(patch.target)} --reuse-values -f ${shellWord(file.path)}`,
    lines: null,
  }
}

function argoStep({ target }: ObjectPatch, application: string | null, files: readonly ManifestFile[]): ApplyStep {
  return {
    tool: 'argocd',
    clusterId: target.clusterId,
    description: `Add the lines to the Application${application === null ? '' : ` ${application}`}, after the value files that are there. Where its chart does not come from the repository that holds the directory plimsoll, add what the files hold under spec.source.helm.valuesObject instead.`,
    command: `argocd app diff ${application === null ? '"${APPLICATION:?is not set}"' : shellWord(application)}`,
    lines: { spec: { source: { helm: { valueFiles: files.map(({ path }) => `/${path}`) } } } },
  }
}

type FluxObject = { readonly namespace: string; readonly name: string }

function fluxStep(written: WrittenIndex, file: ManifestFile, patch: ObjectPatch, flux: FluxObject | null): ApplyStep {
  const spec = file.pathSource === 'none' ? specOf(file) : { values: file.content }
  const which = flux ? `${shellWord(flux.name)} -n ${shellWord(flux.namespace)}` : '"$RELEASE"'
  return {
    tool: 'flux',
    clusterId: patch.target.clusterId,
    description: `Add the lines to the HelmRelease${flux ? ` ${flux.namespace}/${flux.name}` : ''}.${written.contextHintOf(patch)}`,
    command: `flux${written.contextOf(patch)} reconcile helmrelease ${which}`,
    lines: { spec },
  }
}

const specOf = ({ content }: ManifestFile) => ('spec' in content ? content.spec : {})

/** What the shell has to know before. */
export const hintOf = ({ chartOf }: Written, patch: ObjectPatch) =>
  chartOf(patch) === null ? ' Set CHART to its chart first.' : ''

export function helmWords({ chartOf }: Written, patch: ObjectPatch): { release: string; chart: string } {
  const chart = chartOf(patch)
  const release = patch.live ? originOf(patch.live).helm?.release : null
  return {
    release: release == null ? '"$RELEASE"' : shellWord(release),
    chart: chart === null ? '"$CHART"' : shellWord(chart),
  }
}
