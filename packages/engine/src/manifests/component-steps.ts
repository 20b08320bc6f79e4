import { groupBy } from '../group-by.ts'
import { distinct, managersOf, onlyNamed, type GitOpsManager } from './gitops-managers.ts'
import { commitStep, deployStep, deploySteps, postRendererSteps } from './gitops-steps.ts'
import { componentsOf, overlayOf, transformersPath, type Component } from './write-kustomize.ts'
import type { Kustomization } from './kustomizations.ts'
import { applicationText, fluxText, severalSources } from './manager-text.ts'
import type { ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { guarded } from './shell-variables.ts'
import type { ApplyStep, WrittenIndex } from './written-index.ts'

export function componentSteps(written: WrittenIndex): ApplyStep[] {
  return [...groupBy(written.patches, ({ target }) => target.clusterId).values()].flatMap((own) =>
    hasOverlay(written, own) ? overlaySteps(written, own) : clusterSteps(written, own),
  )
}

export const hasOverlay = ({ hasFile }: Pick<WrittenIndex, 'hasFile'>, [first]: readonly ObjectPatch[]) =>
  first !== undefined && hasFile(`${overlayOf(first)}/kustomization.yaml`)

function clusterSteps(written: WrittenIndex, patches: readonly ObjectPatch[]): ApplyStep[] {
  const isRelease = (patch: ObjectPatch) => written.deployerOf(patch)?.kind === 'HelmRelease'
  const components = componentsOf(patches).flatMap((component) => placesOf(written, component, isRelease))
  const places = [...groupBy(components, ({ into }) => into).values()]
  return [
    ...places.flatMap((own) => addSteps(written, own)),
    ...managerSteps(written, components),
    ...postRendererSteps(written, patches.filter(isRelease)),
  ]
}

type Placed = Component & { readonly first: ObjectPatch; readonly into: Kustomization }

/** kustomize ignores a target without a match, so one component can be in several kustomizations. */
function placesOf(
  written: WrittenIndex,
  { directory, own }: Component,
  isRelease: (patch: ObjectPatch) => boolean,
): Placed[] {
  const built = own.filter((patch) => !isRelease(patch))
  return [...groupBy(built, written.kustomizationOf)].flatMap(([into, some]) => {
    const [first] = some
    return first ? [{ directory, own: some, first, into }] : []
  })
}

function addSteps(written: WrittenIndex, components: readonly Placed[]): ApplyStep[] {
  const [one] = components
  if (!one) return []
  const { word, name, hint } = one.into
  const common = { clusterId: one.first.target.clusterId, lines: null }
  const adds = components.map((component): ApplyStep => ({
    ...common,
    tool: 'kustomize',
    description: `Adds the changes${of(component.first)} to the transformers of kustomization.yaml in ${name}. Use the directory that you deploy: its transformers run after namePrefix, nameSuffix and namespace.${hint}`,
    command: inDirectory(word, `kustomize edit add transformer ${shellWord(transformersPath(component))}`),
  }))
  const own = components.flatMap((component) => component.own)
  if (own.some((patch) => written.deployerOf(patch))) {
    const files = ['kustomization.yaml', 'plimsoll']
    return [
      ...adds,
      commitStep(one.first, { before: '', files, lines: null, directory: word }),
      ...chartDeploys(written, own),
    ]
  }
  const apply: ApplyStep = {
    ...common,
    tool: 'kubectl',
    description: `Applies the build of that directory to the cluster.${hint}${written.contextHintOf(one.first)}`,
    command: `kubectl${written.contextOf(one.first)} apply -k ${word}`,
  }
  return [...adds, apply]
}

/** A chart takes no components, so its manager has no step with lines. */
const chartDeploys = (written: WrittenIndex, own: readonly ObjectPatch[]) =>
  deploySteps(
    written,
    own.filter((patch) => patch.live !== null && managersOf(patch).length === 0),
  )

const inDirectory = (word: string, command: string) => (word === '.' ? command : `(cd ${word} && ${command})`)

const of = ({ target: { namespace } }: ObjectPatch) => (namespace === '' ? '' : ` of namespace ${namespace}`)

function overlaySteps(written: WrittenIndex, patches: readonly ObjectPatch[]): ApplyStep[] {
  const [first] = patches
  if (!first) return []
  const directory = overlayOf(first)
  const lines = {
    Application: { spec: { source: { path: directory } } },
    Kustomization: { spec: { path: `./${directory}` } },
  }
  const [deployer] = distinct(patches.flatMap((patch) => written.deployerOf(patch) ?? []))
  if (deployer?.kind === 'HelmRelease') return postRendererSteps(written, patches)
  if (deployer) {
    const file = `${deployer.kind.toUpperCase()}_FILE`
    const before = `${addLines(deployer, written, first, overlayHints)} Set ${file} to its manifest.`
    const files = ['plimsoll', guarded(file)]
    return [commitStep(first, { before, files, lines: lines[deployer.kind] }), deployStep(written, deployer, first)]
  }
  const apply: ApplyStep = {
    tool: 'kubectl',
    clusterId: first.target.clusterId,
    description: `Applies the build of the overlay to the cluster.${written.contextHintOf(first)}`,
    command: `kubectl${written.contextOf(first)} apply -k ${shellWord(directory)}`,
    lines: null,
  }
  const unnamed = distinct(patches.flatMap(managersOf)).flatMap((manager): ApplyStep[] =>
    manager.kind === 'HelmRelease'
      ? []
      : [{ ...stepOf(manager, written, first, overlayHints), lines: lines[manager.kind] }],
  )
  return [apply, ...unnamed]
}

/** Where the lines belong in an object, and in which of several sources of an Application. */
type Hints = { readonly hint: string; readonly several: string }

const overlayHints: Hints = {
  hint: 'so that it builds the overlay. The path is relative to the repository.',
  several: 'set the path of the source that builds the base of the overlay, and leave the other sources unchanged',
}

const componentHints: Hints = {
  hint: 'after the existing components. Paths are relative to the directory that the object builds. A component does not find names changed by namePrefix or nameSuffix of that directory or object. In this case, use the kustomize command instead.',
  several:
    'add each component under kustomize.components of the source whose path contains the kustomization of these workloads',
}

/** One list of components for each manager: a second list in the same object would replace the first. */
function managerSteps(written: WrittenIndex, components: readonly Placed[]): ApplyStep[] {
  const wanted = components.flatMap((component) =>
    onlyNamed(component.own.flatMap(managersOf)).map((each) => ({ ...component, ...each })),
  )
  // Components of two kustomizations must not share a list.
  const lists = groupBy(wanted, ({ key, into }) => `${key} ${into.ending}`)
  return [...lists.values()].flatMap((list) => {
    const [one] = list
    if (!one) return []
    const directories = [...new Set(list.map(({ directory }) => directory))]
    const lines =
      one.tool === 'argocd' ? { source: { kustomize: { components: directories } } } : { components: directories }
    return [{ ...stepOf(one, written, one.first, componentHints), lines: { spec: lines } }]
  })
}

/** Deploys the commit. For a known manager, the lines are another way than the kustomize command. */
function stepOf(manager: GitOpsManager, written: WrittenIndex, patch: ObjectPatch, hints: Hints): ApplyStep {
  const deploy = deployStep(written, manager, patch, written.kustomizationOf(patch).ending)
  const add = addLines(manager, written, patch, hints)
  return manager.name === ''
    ? { ...deploy, description: `${add} Commit and push the lines. ${deploy.description}` }
    : { ...deploy, description: `${deploy.description} Instead of the kustomize command, you can do this: ${add}` }
}

function addLines(
  { kind, name, space }: GitOpsManager,
  written: WrittenIndex,
  patch: ObjectPatch,
  { hint, several }: Hints,
): string {
  const isArgo = kind === 'Application'
  const object = isArgo
    ? applicationText(name || null, '')
    : fluxText(kind, name === '' ? null : { name, namespace: space }, '')
  const sources = isArgo ? severalSources(several) : ''
  return `Add the lines to the ${kind}${object.name}${written.ofCluster(patch)}, ${hint}${isArgo ? ' Requires Argo CD 2.10 or newer.' : ''}${sources}`
}
