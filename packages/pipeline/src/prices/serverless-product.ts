import type { NodeVersion } from '@plimsoll/contract'
import type { ServerlessQuery } from '@plimsoll/pricebook'

export type ServerlessProduct = ServerlessQuery['product']

/** What its pods are sold as, if the node is none that anybody pays for. */
export function serverlessProduct(provider: string, node: NodeVersion): ServerlessProduct | undefined {
  const isFargate = node.labels[computeType] === 'fargate' || node.name.startsWith('fargate-')
  if (provider === 'aws' && isFargate) return 'eks-fargate'
  // Nodes of Autopilot are named so. Those with GPUs are paid for as machines.
  const isAutopilot = node.name.startsWith('gk3-') && node.gpuCapacity === 0
  return provider === 'gcp' && isAutopilot ? 'gke-autopilot-general' : undefined
}

/** EKS Auto Mode charges for each machine that it manages, on top of the machine. */
export const isAutoMode = (provider: string, node: NodeVersion) =>
  provider === 'aws' && node.labels[computeType] === 'auto'

const computeType = 'eks.amazonaws.com/compute-type'
