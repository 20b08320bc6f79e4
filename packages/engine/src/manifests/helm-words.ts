import { originOf } from './gitops-marks.ts'
import type { ManifestFile } from './manifest-file.ts'
import { describeTarget, type ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { endingsFor, guarded, ownValues } from './shell-variables.ts'
import type { WrittenIndex } from './written-index.ts'

/** How a release is written in commands, and in words what to set before. */
export type HelmWords = {
  readonly release: string
  readonly chart: string
  readonly values: string
  readonly hint: string
  readonly valuesHint: string
  /** What the variables of this release end with. */
  readonly ending: string
}

export type HelmWordsOf = (file: ManifestFile, patch: ObjectPatch) => HelmWords

/** Each of several releases has variables of its own: it has its own chart. */
export function helmWordsOf({ files, patchOf, chartOf }: WrittenIndex): HelmWordsOf {
  const named = files.flatMap((file) => {
    const patch = patchOf(file)
    return patch ? [{ key: file.path, names: namesOf(patch) }] : []
  })
  const endings = named.length < 2 ? new Map<string, string>() : endingsFor(named)
  return (file, patch) => wordsOf(endings.get(file.path) ?? '', releaseOf(patch), chartOf(patch), patch)
}

const releaseOf = ({ live }: ObjectPatch) => (live ? (originOf(live).helm?.release ?? null) : null)

function namesOf(patch: ObjectPatch): string[] {
  const { target, clusterName } = patch
  const name = releaseOf(patch) ?? target.name
  const inSpace = `${target.namespace} ${name}`
  return [name, inSpace, `${clusterName} ${name}`, `${clusterName} ${inSpace}`]
}

function wordsOf(ending: string, release: string | null, chart: string | null, { target }: ObjectPatch): HelmWords {
  const [chartName, releaseName, valuesName] = [`CHART${ending}`, `RELEASE${ending}`, `VALUES${ending}`]
  const whose = release === null ? 'its' : `release ${release}’s`
  const toSet = [
    ...(release === null ? [`${releaseName} to the name of the release that makes ${describeTarget(target)}`] : []),
    ...(chart === null ? [`${chartName} to ${whose} chart (a directory, a name or an address)`] : []),
  ]
  return {
    release: release === null ? guarded(releaseName) : shellWord(release),
    chart: chart === null ? guarded(chartName) : shellWord(chart),
    values: ownValues(valuesName),
    hint: toSet.length === 0 ? '' : ` First set ${toSet.join(' and ')}.`,
    valuesHint: ` Set ${valuesName} to the file of your own values as well, several with commas between; without it the values of the chart itself are taken.`,
    ending,
  }
}
