import { groupBy } from '../group-by.ts'
import { componentsOf, overlayOf, transformersPath, type Component } from './write-kustomize.ts'
import type { Kustomization } from './kustomizations.ts'
import type { ObjectPatch } from './object-patch.ts'
import { applicationText, fluxText, severalSources } from './manager-text.ts'
import { managersOf, onlyNamed, type GitOpsManager } from './gitops-managers.ts'
import { shellWord } from './safe-text.ts'
import type { ApplyStep, WrittenIndex } from './written-index.ts'

export function componentSteps(written: WrittenIndex): ApplyStep[] {
  return [...groupBy(written.patches, ({ target }) => target.clusterId).values()].flatMap((own) =>
    hasOverlay(written, own) ? overlaySteps(written, own) : clusterSteps(written, own),
  )
}

export const hasOverlay = ({ hasFile }: Pick<WrittenIndex, 'hasFile'>, [first]: readonly ObjectPatch[]) =>
  first !== undefined && hasFile(`${overlayOf(first)}/kustomization.yaml`)

function clusterSteps(written: WrittenIndex, patches: readonly ObjectPatch[]): ApplyStep[] {
  const components = componentsOf(patches).flatMap(({ directory, own }) => {
    const [first] = own
    return first ? [{ directory, own, first, into: written.kustomizationOf(first) }] : []
  })
  const places = [...groupBy(components, ({ into }) => into).values()]
  return [...places.flatMap((own) => addSteps(written, own)), ...managerSteps(written, components)]
}

type Placed = Component & { readonly first: ObjectPatch; readonly into: Kustomization }

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
  const apply: ApplyStep = {
    ...common,
    tool: 'kubectl',
    description: `Applies the build of that directory to the cluster.${hint}${written.contextHintOf(one.first)}`,
    command: `kubectl${written.contextOf(one.first)} apply -k ${word}`,
  }
  return [...adds, apply]
}

const inDirectory = (word: string, command: string) => (word === '.' ? command : `(cd ${word} && ${command})`)

const of = ({ target: { namespace } }: ObjectPatch) => (namespace === '' ? '' : ` of namespace ${namespace}`)

function overlaySteps(written: WrittenIndex, patches: readonly ObjectPatch[]): ApplyStep[] {
  const [first] = patches
  if (!first) return []
  const directory = overlayOf(first)
  const { clusterId } = first.target
  const apply: ApplyStep = {
    tool: 'kubectl',
    clusterId,
    description: `Applies the build of the overlay to the cluster.${written.contextHintOf(first)}`,
    command: `kubectl${written.contextOf(first)} apply -k ${shellWord(directory)}`,
    lines: null,
  }
  const lines = {
    argocd: { spec: { source: { path: directory } } },
    flux: { spec: { path: `./${directory}` } },
  }
  const managers = [...groupBy(patches.flatMap(managersOf), ({ key }) => key).values()].flatMap(([each]) => each ?? [])
  const shown = onlyNamed(managers)
  // Two managers that build the same overlay would both claim its objects.
  if (shown.filter(({ name }) => name !== '').length > 1) return [apply]
  return [
    apply,
    ...shown.map((manager) => ({
      ...stepOf(manager, written, first, overlayHints),
      lines: lines[manager.tool],
    })),
  ]
}

/** Where the lines belong in an object, and in which of several sources of an Application. */
type Hints = { readonly hint: string; readonly several: string }

const overlayHints: Hints = {
  hint: 'so that it builds the overlay (the path is relative to the repository)',
  several: 'set the path of the source that builds the base of the overlay, and leave the other sources unchanged',
}

const componentHints: Hints = {
  hint: 'after the existing components (paths are relative to the directory that it builds). If that directory or this object adds a namePrefix or nameSuffix, use the kustomize command instead: a component does not find the final name',
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

function stepOf(
  { tool, name, space }: GitOpsManager,
  written: WrittenIndex,
  patch: ObjectPatch,
  { hint, several }: Hints,
) {
  const { clusterId } = patch.target
  const { ending } = written.kustomizationOf(patch)
  if (tool === 'argocd') {
    const application = applicationText(name === '' ? null : name, ending)
    return {
      tool,
      clusterId,
      description: `Add the lines to the Application${application.name}${written.ofCluster(patch)}, ${hint}; Argo CD 2.10 or newer.${severalSources(several)}${application.hint}`,
      command: `argocd app diff ${application.command}`,
    }
  }
  const object = fluxText('Kustomization', name === '' ? null : { name, namespace: space }, ending)
  return {
    tool,
    clusterId,
    description: `Add the lines to the Kustomization${object.name}${written.ofCluster(patch)}, ${hint}.${object.hint}${written.contextHintOf(patch)}`,
    command: `flux${written.contextOf(patch)} reconcile kustomization ${object.command} --with-source`,
  }
}
