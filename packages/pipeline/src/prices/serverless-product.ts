import type { NodeVersion } from '@plimsoll/contract'
import { providerOf, type ServerlessProduct } from '@plimsoll/pricebook'

/** The product that its pods are sold as, if the node itself has no price. */
export const serverlessProduct = (provider: string, node: NodeVersion): ServerlessProduct | undefined =>
  providerOf(provider).serverless?.(node)

/** The provider charges for each machine that it manages, on top of the machine. */
export const isAutoMode = (provider: string, node: NodeVersion): boolean =>
  providerOf(provider).isAutoMode?.(node) === true
