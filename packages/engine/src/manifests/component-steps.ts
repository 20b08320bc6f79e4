import { groupBy } from '../group-by.ts'
import { originOf } from './gitops-marks.ts'
import { componentsOf, overlayOf, type Component } from './kustomize.ts'
import type { Kustomization } from './kustomizations.ts'
import type { ObjectPatch } from './object-patch.ts'
import { applicationWords, fluxWords } from './keeper-words.ts'
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
  return [...places.flatMap((own) => addSteps(written, own)), ...keeperSteps(written, components)]
}

type Placed = Component & { readonly first: ObjectPatch; readonly into: Kustomization }

function addSteps(written: WrittenIndex, components: readonly Placed[]): ApplyStep[] {
  const [one] = components
  if (!one) return []
  const { word, name, hint } = one.into
  const common = { clusterId: one.first.target.clusterId, lines: null }
  const adds = components.map(({ directory, first }): ApplyStep => ({
    ...common,
    tool: 'kustomize',
    description: `Adds the component${of(first)} to the kustomization.yaml of ${name}.${hint}`,
    command: inDirectory(word, `kustomize edit add component ${shellWord(directory)}`),
  }))
  const apply: ApplyStep = {
    ...common,
    tool: 'kubectl',
    description: `Brings what that directory builds into the cluster.${hint}${written.contextHintOf(one.first)}`,
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
    description: `Brings what the overlay builds into the cluster.${written.contextHintOf(first)}`,
    command: `kubectl${written.contextOf(first)} apply -k ${shellWord(directory)}`,
    lines: null,
  }
  const lines = {
    argocd: { spec: { source: { path: directory } } },
    flux: { spec: { path: `./${directory}` } },
  }
  const keepers = [...groupBy(patches.flatMap(keepersOf), ({ key }) => key).values()].flatMap(([each]) => each ?? [])
  const shown = onlyNamed(keepers)
  // Two that build all of it would each take it for theirs.
  if (shown.filter(({ name }) => name !== '').length > 1) return [apply]
  return [
    apply,
    ...shown.map((keeper) => ({
      ...stepOf(keeper, written, first, 'so that it builds the overlay (the path is that in the repository)'),
      lines: lines[keeper.tool],
    })),
  ]
}

/** What keeps a workload in line with Git. Empty words: nobody knows what it is called. */
type Keeper = { readonly tool: 'argocd' | 'flux'; readonly key: string; readonly name: string; readonly space: string }

const keeper = (tool: Keeper['tool'], name = '', space = ''): Keeper => ({
  tool,
  name,
  space,
  key: [tool, space, name].join(' '),
})

/** Without a mark it may be either: people use them without our knowing. A chart takes no components. */
function keepersOf({ live }: ObjectPatch): Keeper[] {
  const origin = live ? originOf(live) : null
  if (origin?.helm) return []
  if (origin?.argo != null) return [keeper('argocd', origin.argo)]
  if (origin?.flux) return [keeper('flux', origin.flux.name, origin.flux.namespace)]
  return [keeper('argocd'), keeper('flux')]
}

const onlyNamed = (keepers: readonly Keeper[]) => {
  const named = keepers.filter(({ name }) => name !== '')
  return named.length > 0 ? named : keepers
}

/** One list of components for each object that takes them: two lists in one object would take each other's place. */
function keeperSteps(written: WrittenIndex, components: readonly Placed[]): ApplyStep[] {
  const wanted = components.flatMap((component) =>
    onlyNamed(component.own.flatMap(keepersOf)).map((each) => ({ ...component, ...each })),
  )
  // What belongs into two kustomizations must not be in one list either.
  const lists = groupBy(wanted, ({ key, into }) => `${key} ${into.ending}`)
  return [...lists.values()].flatMap((list) => {
    const [one] = list
    if (!one) return []
    const directories = [...new Set(list.map(({ directory }) => directory))]
    const hint = 'after components that are there, which stay (paths are relative to the directory that it builds)'
    const lines =
      one.tool === 'argocd' ? { source: { kustomize: { components: directories } } } : { components: directories }
    return [{ ...stepOf(one, written, one.first, hint), lines: { spec: lines } }]
  })
}

function stepOf({ tool, name, space }: Keeper, written: WrittenIndex, patch: ObjectPatch, hint: string) {
  const { clusterId } = patch.target
  const { ending } = written.kustomizationOf(patch)
  if (tool === 'argocd') {
    const application = applicationWords(name === '' ? null : name, ending)
    return {
      tool,
      clusterId,
      description: `Add the lines to the Application${application.name}${written.ofCluster(patch)}, ${hint}; Argo CD 2.10 or newer.${application.hint}`,
      command: `argocd app diff ${application.command}`,
    }
  }
  const object = fluxWords('Kustomization', name === '' ? null : { name, namespace: space }, ending)
  return {
    tool,
    clusterId,
    description: `Add the lines to the Kustomization${object.name}${written.ofCluster(patch)}, ${hint}.${object.hint}${written.contextHintOf(patch)}`,
    command: `flux${written.contextOf(patch)} reconcile kustomization ${object.command} --with-source`,
  }
}
