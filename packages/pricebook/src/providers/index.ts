import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { gcp } from './gcp.ts'
import { others } from './others.ts'
import type { Provider } from './provider.ts'

/**
 * Every provider of the price tables. A new one starts in `engine/src/vocabulary/cloud-providers.ts`; without rules of
 * its own it goes into `others.ts`. CONTRIBUTING.md lists what else it needs.
 */
export const providers: readonly Provider[] = [aws, gcp, azure, ...others]

const byId = new Map<string, Provider>(providers.map((provider) => [provider.id, provider]))

const unknown: Omit<Provider, 'id'> = { aliases: [] }

/** `id` is canonical. An unknown provider has no properties. */
export const providerOf = (id: string): Omit<Provider, 'id'> => byId.get(id) ?? unknown

const providerByDriver = new Map(
  providers.flatMap(({ id, disks }) => (disks?.drivers ?? []).map((driver) => [driver, id] as const)),
)

/** The provider of a CSI driver. */
export const providerOfDriver = (driver: string): string | undefined => providerByDriver.get(driver)
