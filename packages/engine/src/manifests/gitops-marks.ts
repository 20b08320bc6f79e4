import type { LiveWorkload } from './live-workload.ts'

/** Where a workload comes from, by the marks that tools leave on what they make. */
export type Origin = {
  readonly helm: { readonly release: string | null; readonly chart: string | null } | null
  readonly flux: {
    readonly kind: 'HelmRelease' | 'Kustomization'
    readonly namespace: string
    readonly name: string
  } | null
  /** Name of the Argo CD application. */
  readonly argo: string | null
}

export function originOf({ labels, annotations }: Pick<LiveWorkload, 'labels' | 'annotations'>): Origin {
  const fluxName = labels['helm.toolkit.fluxcd.io/name']
  const fluxKustomization = labels['kustomize.toolkit.fluxcd.io/name']
  const chart = labels['helm.sh/chart'] ?? null
  const release = annotations['meta.helm.sh/release-name'] ?? fluxName ?? null
  const isHelm = release !== null || chart !== null || labels['app.kubernetes.io/managed-by'] === 'Helm'
  return {
    helm: isHelm ? { release: release ?? labels['app.kubernetes.io/instance'] ?? null, chart } : null,
    flux:
      fluxName !== undefined
        ? { kind: 'HelmRelease', namespace: labels['helm.toolkit.fluxcd.io/namespace'] ?? '', name: fluxName }
        : fluxKustomization !== undefined
          ? {
              kind: 'Kustomization',
              namespace: labels['kustomize.toolkit.fluxcd.io/namespace'] ?? '',
              name: fluxKustomization,
            }
          : null,
    argo: argoOf(annotations, labels),
  }
}

/** `application:group/Kind:namespace/name` */
function argoOf(annotations: LiveWorkload['annotations'], labels: LiveWorkload['labels']): string | null {
  const tracked = annotations['argocd.argoproj.io/tracking-id']?.split(':')[0]
  return tracked ?? labels['argocd.argoproj.io/instance'] ?? null
}
