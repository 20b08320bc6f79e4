import { groupBy } from '../group-by.ts'
import { originOf } from './gitops-origin.ts'
import type { ManifestFile } from './manifest-file.ts'
import type { ObjectPatch } from './object-patch.ts'
import type { HelmText, HelmTextOf } from './helm-text.ts'
import { applicationText, fluxText, severalSources } from './manager-text.ts'
import { shellWord } from './safe-text.ts'
import { namespaceFlag, type ApplyStep, type WrittenIndex } from './written-index.ts'

type Release = { readonly file: ManifestFile; readonly patch: ObjectPatch; readonly words: HelmText }

/** By the tool that manages the release, or by all tools if it is unknown. */
export function helmSteps(written: WrittenIndex, wordsOf: HelmTextOf): ApplyStep[] {
  const releases = written.files.flatMap((file) => {
    const patch = written.patchOf(file)
    const origin = patch?.live ? originOf(patch.live) : null
    return patch ? [{ file, patch, origin, words: wordsOf(file, patch) }] : []
  })
  // An Application has one list of value files.
  const applications = groupBy(releases, ({ file, patch, origin }) =>
    origin?.argo == null ? file.path : `${patch.target.clusterId} ${origin.argo}`,
  )
  return [...applications.values()].flatMap((own) => {
    const application = own[0]?.origin?.argo ?? null
    return application === null
      ? own.flatMap((release) => releaseSteps(written, release))
      : argoSteps(written, application, own)
  })
}

function releaseSteps(written: WrittenIndex, release: Release): ApplyStep[] {
  const { file, patch } = release
  const origin = patch.live ? originOf(patch.live) : null
  const flux = origin?.flux?.kind === 'HelmRelease' ? origin.flux : null
  if (flux || file.pathSource === 'none') return [fluxStep(written, release, flux)]
  const helm = helmStep(written, release)
  return origin?.helm?.isInstalled === true
    ? [helm]
    : [helm, ...argoSteps(written, null, [release]), fluxStep(written, release, null)]
}

function helmStep(written: WrittenIndex, { file, patch, words }: Release): ApplyStep {
  const context = written.contextOf(patch).replace(' --context', ' --kube-context')
  return {
    tool: 'helm',
    clusterId: patch.target.clusterId,
    description: `Upgrades the release with these values on top of its current values.${words.hint}${written.contextHintOf(patch)}`,
    command: `helm${context} upgrade ${words.release} ${words.chart}${namespaceFlag(patch.target)}${words.version} --reuse-values -f ${shellWord(file.path)}`,
    lines: null,
  }
}

function argoSteps(written: WrittenIndex, name: string | null, releases: readonly Release[]): ApplyStep[] {
  const [first] = releases
  if (!first) return []
  const application = applicationText(name, first.words.ending)
  return [
    {
      tool: 'argocd',
      clusterId: first.patch.target.clusterId,
      description: `Add the lines to the Application${application.name}${written.ofCluster(first.patch)}, after the existing value files. If the chart comes from a repository without the directory plimsoll, add the values under spec.source.helm.valuesObject instead.${severalSources(chartOfSeveral)}${application.hint}`,
      command: `argocd app diff ${application.command}`,
      lines: { spec: { source: { helm: { valueFiles: releases.map(({ file }) => `/${file.path}`) } } } },
    },
  ]
}

/** A source can read files of another named source. */
const chartOfSeveral =
  'add the files under helm.valueFiles of the source with the chart. If the directory plimsoll is in another source, give that source a ref such as values and start each path with $values'

type FluxObject = { readonly namespace: string; readonly name: string }

function fluxStep(written: WrittenIndex, { file, patch, words }: Release, flux: FluxObject | null): ApplyStep {
  const spec = file.pathSource === 'none' ? specOf(file) : { values: file.content }
  const object = fluxText('HelmRelease', flux, words.ending)
  return {
    tool: 'flux',
    clusterId: patch.target.clusterId,
    description: `Add the lines to the HelmRelease${object.name}${written.ofCluster(patch)}, next to the existing values.${object.hint}${written.contextHintOf(patch)}`,
    command: `flux${written.contextOf(patch)} reconcile helmrelease ${object.command}`,
    lines: { spec },
  }
}

const specOf = ({ content }: ManifestFile) => ('spec' in content ? content.spec : {})
