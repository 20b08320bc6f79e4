import { providers } from '../providers/index.ts'

/** The provider ids of the book. */
export const knownProviders: readonly string[] = providers.map(({ id }) => id)

const providerBySpelling = new Map(providers.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name, id])))

/** 'Amazon Web Services', 'eks' and the node's 'aws:///us-east-1a/i-0abc' are all 'aws'. */
export function findProvider(name: string): string | undefined {
  return providerBySpelling.get(plainName(name).replace(/[\s._-]+/g, ''))
}

/** An unknown name stays in lower case and gets the default rates. */
export const canonicalProvider = (name: string) => findProvider(name) ?? plainName(name)

const plainName = (name: string) => (name.split('://')[0] ?? '').trim().toLowerCase()
