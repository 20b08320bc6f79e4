import { ApiError, GONE, saidIn, type ApiClient } from './api-client.ts'
import { text } from './lines.ts'
import { readList } from './read-list.ts'

/** Any object of the API, as far as every kind is alike. */
export type KubeObject = {
  metadata?: { uid?: string; name?: string; namespace?: string; resourceVersion?: string }
}

type ListPage = { metadata?: { resourceVersion?: string; continue?: string } }

export type Listed<Projected> = { items: Projected[]; resourceVersion: string }

/** One object in a watch and many in a list are asked for by different names. */
export type Accept = { readonly list: string; readonly watch: string }

export type ListOptions<Projected> = {
  client: ApiClient
  path: string
  /** What is kept of an object; undefined: nothing. */
  project: (object: KubeObject) => Projected | undefined
  /** Which form of the objects is asked for; default: whole, as JSON. */
  accept?: Accept
  /** Which of the objects are asked for; default: all. */
  selection?: Readonly<Record<string, string>>
  signal: AbortSignal
}

const pageSize = 500
/** A page that takes longer never comes. */
const pageMs = 300_000

/**
 * Everything of a kind, page by page and object by object, of which only what is needed is kept. When a page is too old to be
 * continued, the rest is listed as it is now, as the server offers; when it does not offer that, all is begun anew by the caller.
 */
export async function listAll<Projected>(options: ListOptions<Projected>): Promise<Listed<Projected>> {
  const items: Projected[] = []
  const take = (object: unknown) => {
    const projected = options.project(object as KubeObject)
    if (projected !== undefined) items.push(projected)
  }
  let token: string | undefined
  let resourceVersion = ''
  do {
    const query = { ...options.selection, limit: String(pageSize), ...(token === undefined ? {} : { continue: token }) }
    const { metadata } = await getPage(options, query, take)
    // Later pages are of the same moment as the first, unless the server has said otherwise.
    resourceVersion = metadata?.resourceVersion ?? resourceVersion
    token = metadata?.continue === '' ? undefined : metadata?.continue
  } while (token !== undefined)
  if (resourceVersion === '') throw new ApiError(200, 'the list has no resource version')
  return { items, resourceVersion }
}

async function getPage(
  { client, path, accept, signal }: ListOptions<unknown>,
  query: Record<string, string>,
  take: (object: unknown) => void,
): Promise<ListPage> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(pageMs)])
  const { status, retryAfter, body } = await client.get(path, query, patience, accept?.list)
  if (status === 200) return (await readList(body, take)) as ListPage
  const answer = await text(body)
  const inconsistent = status === GONE ? offeredToken(answer) : undefined
  if (inconsistent) return { metadata: { continue: inconsistent } }
  throw new ApiError(status, saidIn(answer), { retryAfter })
}

function offeredToken(answer: string): string | undefined {
  try {
    return (JSON.parse(answer) as ListPage).metadata?.continue
  } catch {
    return undefined
  }
}
