import type { LiveWorkload } from './live-workload.ts'
import { isObjectName } from './safe-text.ts'

/** The origin of a workload, by the labels and annotations that tools set. */
export type Origin = {
  readonly helm: {
    readonly release: string | null
    readonly chart: string | null
    /** Helm installed it; otherwise another tool may have rendered the chart. */
    readonly isInstalled: boolean
  } | null
  readonly flux: {
    readonly kind: 'HelmRelease' | 'Kustomization'
    readonly namespace: string
    readonly name: string
  } | null
  /** Name of the Argo CD application. */
  readonly argo: string | null
}

/** Invalid names are ignored, because names become part of commands. */
export function originOf({ labels, annotations }: Pick<LiveWorkload, 'labels' | 'annotations'>): Origin {
  const fluxName = nameIn(labels['helm.toolkit.fluxcd.io/name'])
  const chart = labels['helm.sh/chart'] ?? null
  const release =
    nameIn(annotations['meta.helm.sh/release-name']) ?? fluxName ?? nameIn(labels['app.kubernetes.io/instance'])
  const isInstalled = 'meta.helm.sh/release-name' in annotations
  const isManagedByHelm = isInstalled || labels['app.kubernetes.io/managed-by'] === 'Helm'
  return {
    helm: isManagedByHelm || fluxName !== null || chart !== null ? { release, chart, isInstalled } : null,
    flux: fluxOf(labels, 'HelmRelease', 'helm') ?? fluxOf(labels, 'Kustomization', 'kustomize'),
    argo: argoOf(annotations, labels),
  }
}

const nameIn = (text: string | undefined) => (text !== undefined && isObjectName(text) ? text : null)

type FluxKind = NonNullable<Origin['flux']>['kind']

function fluxOf(labels: LiveWorkload['labels'], kind: FluxKind, toolkit: 'helm' | 'kustomize'): Origin['flux'] {
  const name = nameIn(labels[`${toolkit}.toolkit.fluxcd.io/name`])
  const namespace = nameIn(labels[`${toolkit}.toolkit.fluxcd.io/namespace`])
  return name !== null && namespace !== null ? { kind, name, namespace } : null
}

/** `application:group/Kind:namespace/name` */
function argoOf(annotations: LiveWorkload['annotations'], labels: LiveWorkload['labels']): string | null {
  return (
    nameIn(annotations['argocd.argoproj.io/tracking-id']?.split(':')[0]) ??
    nameIn(labels['argocd.argoproj.io/instance'])
  )
}

/**
 * The tools that deploy a workload, from the manager to what it renders. A HelmRelease counts as its release. Null: the
 * labels do not show it.
 */
export function deliverersOf(workload: Pick<LiveWorkload, 'labels' | 'annotations'>) {
  const { helm, flux, argo } = originOf(workload)
  return [
    ...(argo === null ? [] : [{ tool: 'argocd', kind: 'Application', namespace: null, name: argo } as const]),
    ...(flux ? [{ tool: 'flux', ...flux } as const] : []),
    ...(helm && flux?.kind !== 'HelmRelease'
      ? [{ tool: 'helm', kind: 'Release', namespace: null, name: helm.release } as const]
      : []),
  ]
}
