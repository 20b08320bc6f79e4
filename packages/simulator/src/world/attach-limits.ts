import type { Scenario } from '../scenario/scenario.ts'

const millicoresPerCore = 1000

type LimitsOf = (cpuMillicores: number) => Readonly<Record<string, number>>

/** What the disk driver of each cloud reports for machines of common types; the smallest ones take fewer. */
const limitsOf: Partial<Record<Scenario['provider'], LimitsOf>> = {
  aws: () => ({ 'ebs.csi.aws.com': 25 }),
  gcp: () => ({ 'pd.csi.storage.gke.io': 127 }),
  azure: (cpuMillicores) => ({ 'disk.csi.azure.com': Math.min(64, (2 * cpuMillicores) / millicoresPerCore) }),
}

export const attachLimits = ({ provider }: Pick<Scenario, 'provider'>, cpuMillicores: number) =>
  limitsOf[provider]?.(cpuMillicores)
