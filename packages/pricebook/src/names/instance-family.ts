import { providerOf } from '../providers/index.ts'

/**
 * The family in the list of spot ratios: 'm5' of 'm5.large', 'n2' of 'n2-standard-4', 'D#as_v5' of 'Standard_D4as_v5'.
 */
export const instanceFamily = (provider: string, instanceType: string): string =>
  providerOf(provider).machines?.family(instanceType) ?? instanceType
