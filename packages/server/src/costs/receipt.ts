import type { ExplainedResource, Figure } from '@plimsoll/contract'
import type { WorkloadName } from '../ingest/index.ts'

/** The figure to explain. */
export type Receipt = {
  figure: Figure
  resources: readonly ExplainedResource[]
  of:
    | { kind: 'cluster' }
    | { kind: 'namespace'; namespace: string }
    | { kind: 'workload'; workload: WorkloadName }
    | { kind: 'node'; uid: string }
}

/** Owners that run on nodes and are allocated a part of them. */
export const isTenant = ({ kind }: Receipt['of']) => kind === 'namespace' || kind === 'workload'
