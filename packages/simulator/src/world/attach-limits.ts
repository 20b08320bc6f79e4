import type { Scenario } from '../scenario/scenario.ts'

const millicoresPerCore = 1000

type LimitsOf = (cpuMillicores: number) => Readonly<Record<string, number>>

/**
 * The attach limits of the CSI drivers of each cloud for common instance types; the smallest types have lower limits.
 */
const limitsOf: Partial<Record<Scenario['provider'], LimitsOf>> = {
  aws: () => ({ 'ebs.csi.aws.com': 25 }),
  gcp: () => ({ 'pd.csi.storage.gke.io': 127 }),
  azure: (cpuMillicores) => ({ 'disk.csi.azure.com': Math.min(64, (2 * cpuMillicores) / millicoresPerCore) }),
}

export const attachLimits = ({ provider }: Pick<Scenario, 'provider'>, cpuMillicores: number) =>
  limitsOf[provider]?.(cpuMillicores)
