import { KIB_PER_GIB, MICROCORES_PER_CORE, PARTS_PER_WHOLE } from '../units.ts'

/** What a row charges for: a resource of nodes, or a cloud resource. */
export type FocusMeter = 'cpu' | 'memory' | 'gpu' | 'volume' | 'balancer' | 'control_plane'

type Meter = {
  /** For SkuMeter and ChargeDescription. */
  title: string
  unit: string
  /** Base units in one unit. */
  baseUnits: number
  category: 'Compute' | 'Storage' | 'Networking'
  subcategory: string
}

export const focusMeters: Readonly<Record<FocusMeter, Meter>> = {
  cpu: compute('CPU', 'vCPU-Hours', MICROCORES_PER_CORE),
  memory: compute('Memory', 'GiB-Hours', KIB_PER_GIB),
  gpu: compute('GPU', 'GPU-Hours', PARTS_PER_WHOLE),
  volume: {
    title: 'Volume',
    unit: 'GiB-Hours',
    baseUnits: KIB_PER_GIB,
    category: 'Storage',
    subcategory: 'Block Storage',
  },
  balancer: {
    title: 'Load balancer',
    unit: 'Hours',
    baseUnits: PARTS_PER_WHOLE,
    category: 'Networking',
    subcategory: 'Application Networking',
  },
  control_plane: compute('Control plane', 'Hours', PARTS_PER_WHOLE),
}

function compute(title: string, unit: string, baseUnits: number): Meter {
  return { title, unit, baseUnits, category: 'Compute', subcategory: 'Containers' }
}

/** FOCUS allows one category for each name of a service. */
export const serviceNameOf = ({ category }: Meter): string => `Kubernetes ${category}`
