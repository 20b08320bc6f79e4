import type { Client } from '@plimsoll/client'
import { CliError, usageError } from '../exit-codes.ts'

const pageSize = 200
const clusterIdPrefix = 'cls_'

type Named = { readonly id: string; readonly name: string }

async function listAll(client: Client): Promise<Named[]> {
  const found: Named[] = []
  let cursor: string | null | undefined
  do {
    const page = await client.listClusters({ query: { limit: pageSize, ...(cursor ? { cursor } : {}) } })
    found.push(...page.clusters)
    cursor = page.has_more ? page.next_cursor : undefined
  } while (cursor)
  return found
}

/** Accepts the name of a cluster or its ID. */
export async function findClusterId(client: Client, nameOrId: string): Promise<string> {
  if (nameOrId.startsWith(clusterIdPrefix)) return nameOrId
  const found = (await listAll(client)).find(({ name }) => name === nameOrId)
  if (!found) throw new CliError(`There is no cluster "${nameOrId}". "plimsoll clusters" lists the clusters.`)
  return found.id
}

/** Without an option, the only cluster is meant. */
export async function requireClusterId(client: Client, nameOrId: string | undefined): Promise<string> {
  if (nameOrId !== undefined) return findClusterId(client, nameOrId)
  const clusters = await listAll(client)
  const [only] = clusters
  if (only && clusters.length === 1) return only.id
  if (!only) throw new CliError('The server has no cluster that you can see.')
  const names = clusters.slice(0, 10).map(({ name }) => name)
  throw usageError(`Use --cluster NAME. Clusters: ${names.join(', ')}${clusters.length > names.length ? ', …' : ''}.`)
}
