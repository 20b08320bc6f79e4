import { originOf } from './gitops-marks.ts'
import { componentOf } from './kustomize.ts'
import type { ManifestFile } from './manifest-file.ts'
import { groupVersionOf, type ManifestTarget, type ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { fieldManagerOf } from './server-side-apply.ts'
import type { ManifestFormat } from './skips.ts'
import type { ManifestDocument } from './strategic-merge.ts'

export type ApplyStep = {
  readonly tool: 'kubectl' | 'kubectl-local' | 'kustomize' | 'helm' | 'argocd' | 'flux'
  readonly clusterId: string
  /** What it does and where it is to be run. */
  readonly description: string
  readonly command: string
  /** What to add to which object of Argo CD or Flux; null: nothing. */
  readonly lines: ManifestDocument | null
}

export type Written = {
  readonly format: ManifestFormat
  readonly patches: readonly ObjectPatch[]
  readonly files: readonly ManifestFile[]
  /** The chart that somebody named; null: it is left to the shell. */
  readonly chartOf: (patch: ObjectPatch) => string | null
}

type Looked = {
  /** With several clusters in one answer, a command must not reach the one that happens to be chosen. */
  readonly contextOf: (patch: ObjectPatch) => string
  readonly fileOf: (patch: ObjectPatch) => ManifestFile | undefined
  readonly patchOf: (file: ManifestFile) => ObjectPatch | undefined
}

/** What was written, with what is looked up again and again looked up once. */
export type WrittenIndex = Written & Looked

export function indexWritten(written: Written): WrittenIndex {
  const { patches, files } = written
  const isFleet = new Set(patches.map(({ target }) => target.clusterId)).size > 1
  const byTarget = new Map(files.map((file) => [file.target, file]))
  const byId = new Map(files.flatMap((file) => file.recommendationIds.map((id) => [id, file])))
  const patchById = new Map(patches.flatMap((patch) => patch.recommendationIds.map((id) => [id, patch])))
  return {
    ...written,
    contextOf: ({ clusterName }) => (isFleet ? ` --context=${shellWord(clusterName)}` : ''),
    fileOf: ({ target, recommendationIds }) => byTarget.get(target) ?? byId.get(recommendationIds[0] ?? ''),
    patchOf: ({ recommendationIds }) => patchById.get(recommendationIds[0] ?? ''),
  }
}

/** How to bring the files into Git or into a cluster. All commands are run where the directory `plimsoll` lies. */
export function applyStepsOf(written: WrittenIndex): ApplyStep[] {
  const { format, patches, files } = written
  if (format === 'kustomize')
    return uniqueBy(patches, componentOf).flatMap((patch) => componentSteps(patch, written.contextOf))
  if (format === 'helm') return files.flatMap((file) => helmSteps(written, file))
  return patches.flatMap((patch) => patchSteps(written, patch))
}

export const resourceWord = (target: ManifestTarget) => {
  const { group, version } = groupVersionOf(target)
  const kind = target.kind.toLowerCase()
  return shellWord(group === '' ? kind : `${kind}.${version}.${group}`)
}

export const namespaceFlag = ({ namespace }: ManifestTarget) => (namespace === '' ? '' : ` -n ${shellWord(namespace)}`)

const uniqueBy = <T>(values: readonly T[], keyOf: (value: T) => string) =>
  [...new Map(values.toReversed().map((value) => [keyOf(value), value])).values()].reverse()

function patchSteps(written: WrittenIndex, patch: ObjectPatch): ApplyStep[] {
  const { target } = patch
  const file = written.fileOf(patch)
  if (!file) return []
  const type = file.syntax === 'json' ? 'json' : 'strategic'
  const path = shellWord(file.path)
  const object = `${target.kind} ${target.namespace}/${target.name}`
  const local: ApplyStep = {
    tool: 'kubectl-local',
    clusterId: target.clusterId,
    description: `Changes the manifest of ${object} in your checkout; set FILE to it first. A file of several documents is refused: use kustomize.`,
    // Every document of a file would be patched, and only one is meant.
    command: `test "$(grep -cE '^ {0,2}"?kind"?:' "$FILE")" = 1 && kubectl patch --local -f - --type=${type} --patch-file ${path} -o yaml < "$FILE" > "$FILE.new" && mv "$FILE.new" "$FILE"`,
    lines: null,
  }
  const description = `Changes ${object} in the cluster. What Git says wins again with the next roll-out.`
  const command =
    written.format === 'yaml' ? serverSideApply(written, patch, path) : livePatch(written, patch, type, path)
  return [local, { ...local, tool: 'kubectl', description, command }]
}

const serverSideApply = (written: WrittenIndex, patch: ObjectPatch, path: string) =>
  `kubectl${written.contextOf(patch)} apply --server-side --field-manager=${fieldManagerOf(patch)} --force-conflicts -f ${path}`

function livePatch(written: WrittenIndex, patch: ObjectPatch, type: string, path: string): string {
  const { target } = patch
  const resize = target.kind === 'Pod' && patch.containers.length > 0 ? ' --subresource=resize' : ''
  const where = `${resourceWord(target)} ${shellWord(target.name)}${namespaceFlag(target)}`
  return `kubectl${written.contextOf(patch)} patch ${where}${resize} --type=${type} --patch-file ${path}`
}

function componentSteps(patch: ObjectPatch, contextOf: WrittenIndex['contextOf']): ApplyStep[] {
  const { target, live } = patch
  const directory = componentOf(patch)
  const path = shellWord(directory)
  const common = { clusterId: target.clusterId, lines: null }
  const steps: ApplyStep[] = [
    {
      ...common,
      tool: 'kustomize',
      description: 'Adds the component to the kustomization.yaml of the directory that you are in.',
      command: `kustomize edit add component ${path}`,
    },
    {
      ...common,
      tool: 'kubectl',
      description: 'Brings what that directory builds into the cluster.',
      command: `kubectl${contextOf(patch)} apply -k .`,
    },
  ]
  return [...steps, ...gitopsSteps(live ? originOf(live) : undefined, target.clusterId, directory)]
}

/** The exact lines, with or without the mark of the tool on the workload: people may use it without our knowing. */
function gitopsSteps(
  origin: ReturnType<typeof originOf> | undefined,
  clusterId: string,
  directory: string,
): ApplyStep[] {
  const argo = origin?.argo ?? null
  const flux = origin?.flux?.kind === 'Kustomization' ? origin.flux : null
  return [
    {
      tool: 'argocd',
      clusterId,
      description: `Add the lines to the Application${argo === null ? '' : ` ${argo}`} (Argo CD 2.10 or newer; the path is relative to the source’s).`,
      command: argo === null ? 'argocd app diff "$APPLICATION"' : `argocd app diff ${shellWord(argo)}`,
      lines: { spec: { source: { kustomize: { components: [directory] } } } },
    },
    {
      tool: 'flux',
      clusterId,
      description: `Add the lines to the Kustomization${flux ? ` ${flux.namespace}/${flux.name}` : ''} (the path is relative to its spec.path).`,
      command: flux
        ? `flux reconcile kustomization ${shellWord(flux.name)} -n ${shellWord(flux.namespace)} --with-source`
        : 'flux reconcile kustomization "$KUSTOMIZATION" --with-source',
      lines: { spec: { components: [directory] } },
    },
  ]
}

function helmSteps(written: WrittenIndex, file: ManifestFile): ApplyStep[] {
  const patch = written.patchOf(file)
  if (!patch) return []
  const { target, live } = patch
  const origin = live ? originOf(live) : undefined
  const { release, chart } = helmWords(written, patch)
  const path = shellWord(file.path)
  const clusterId = target.clusterId
  const isFlux = origin?.flux?.kind === 'HelmRelease'
  const fluxLines = file.pathSource === 'none' ? { spec: specOf(file) } : { spec: { values: file.content } }
  const helm: ApplyStep = {
    tool: 'helm',
    clusterId,
    description: 'Rolls the release out with these values on top of its own.',
    command: `helm${helmContext(written, patch)} upgrade ${release} ${chart}${namespaceFlag(target)} --reuse-values -f ${path}`,
    lines: null,
  }
  const argo: ApplyStep = {
    tool: 'argocd',
    clusterId,
    description: `Add the lines to the Application${origin?.argo == null ? '' : ` ${origin.argo}`}, after the value files that are there.`,
    command: origin?.argo == null ? 'argocd app diff "$APPLICATION"' : `argocd app diff ${shellWord(origin.argo)}`,
    lines: { spec: { source: { helm: { valueFiles: [`/${file.path}`] } } } },
  }
  const flux: ApplyStep = {
    tool: 'flux',
    clusterId,
    description: `Add the lines to the HelmRelease${isFlux ? ` ${origin.flux.namespace}/${origin.flux.name}` : ''}.`,
    command: isFlux
      ? `flux reconcile helmrelease ${shellWord(origin.flux.name)} -n ${shellWord(origin.flux.namespace)}`
      : 'flux reconcile helmrelease "$RELEASE"',
    lines: fluxLines,
  }
  return file.pathSource === 'none' ? [flux] : [helm, argo, flux]
}

const specOf = ({ content }: ManifestFile) => ('spec' in content ? content.spec : {})

const helmContext = (written: WrittenIndex, patch: ObjectPatch) =>
  written.contextOf(patch).replace(' --context', ' --kube-context')

export function helmWords({ chartOf }: Written, patch: ObjectPatch): { release: string; chart: string } {
  const { live } = patch
  const chart = chartOf(patch)
  const release = live ? originOf(live).helm?.release : null
  return {
    release: release == null ? '"$RELEASE"' : shellWord(release),
    chart: chart === null ? '"$CHART"' : shellWord(chart),
  }
}
