import { groupBy } from '../group-by.ts'
import { namedManager } from './gitops-managers.ts'
import { originOf } from './gitops-origin.ts'
import { commitStep, deployStep } from './gitops-steps.ts'
import type { ManifestFile } from './manifest-file.ts'
import type { ObjectPatch } from './object-patch.ts'
import type { HelmText, HelmTextOf } from './helm-text.ts'
import { applicationText, fluxText, severalSources } from './manager-text.ts'
import { shellWord } from './safe-text.ts'
import { guarded } from './shell-variables.ts'
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
  if (flux || file.pathSource === 'none') return fluxSteps(written, release, flux)
  const helm = helmStep(written, release)
  return origin?.helm?.isInstalled === true
    ? [helm]
    : [helm, ...argoSteps(written, null, [release]), ...fluxSteps(written, release, null)]
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
  const file = `APPLICATION_FILE${first.words.ending}`
  const before = `Add the lines to the Application${application.name}${written.ofCluster(first.patch)}, after the existing value files, and set ${file} to the manifest of the Application. If the chart comes from a repository without the directory plimsoll, add the values under spec.source.helm.valuesObject instead.${severalSources(chartOfSeveral)}`
  const files = [...releases.map((release) => shellWord(release.file.path)), guarded(file)]
  const lines = { spec: { source: { helm: { valueFiles: releases.map((release) => `/${release.file.path}`) } } } }
  const manager = namedManager('Application', name ?? '')
  return [
    commitStep(first.patch, { before, files, lines }),
    deployStep(written, manager, first.patch, first.words.ending),
  ]
}

/** A source can read files of another named source. */
const chartOfSeveral =
  'add the files under helm.valueFiles of the source with the chart. If the directory plimsoll is in another source, give that source a ref such as values and start each path with $values'

type FluxObject = { readonly namespace: string; readonly name: string }

function fluxSteps(written: WrittenIndex, { file, patch, words }: Release, flux: FluxObject | null): ApplyStep[] {
  const spec = file.pathSource === 'none' ? specOf(file) : { values: file.content }
  const { name } = fluxText('HelmRelease', flux, words.ending)
  const variable = `HELMRELEASE_FILE${words.ending}`
  const before = `Add the lines to the HelmRelease${name}${written.ofCluster(patch)} in Git, next to the existing values, and set ${variable} to its file.`
  return [
    commitStep(patch, { before, files: [guarded(variable)], lines: { spec } }),
    deployStep(written, namedManager('HelmRelease', flux?.name, flux?.namespace), patch, words.ending),
  ]
}

const specOf = ({ content }: ManifestFile) => ('spec' in content ? content.spec : {})
