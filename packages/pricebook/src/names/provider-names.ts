import { providers } from '../providers/index.ts'

/** By the names that the book has them under. */
export const knownProviders: readonly string[] = providers.map(({ id }) => id)

const providerBySpelling = new Map(providers.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name, id])))

/** 'Amazon Web Services', 'eks' and the node's 'aws:///us-east-1a/i-0abc' are all 'aws'. */
export function findProvider(name: string): string | undefined {
  return providerBySpelling.get(plainName(name).replace(/[\s._-]+/g, ''))
}

/** A name we do not know stays as it is, in lower case: it is looked up like any other and falls back to the default rates. */
export const canonicalProvider = (name: string) => findProvider(name) ?? plainName(name)

const plainName = (name: string) => (name.split('://')[0] ?? '').trim().toLowerCase()
