import { ApiError, GONE, type ApiClient } from './api-client.ts'
import { text } from './lines.ts'

/** Any object of the API, as far as every kind is alike. */
export type KubeObject = {
  metadata?: { uid?: string; name?: string; namespace?: string; resourceVersion?: string }
}

type ListPage = { metadata?: { resourceVersion?: string; continue?: string }; items?: KubeObject[] | null }

export type Listed<Projected> = { items: Projected[]; resourceVersion: string }

const pageSize = 500

/**
 * Everything of a kind, page by page, of which only what is needed is kept. When a page is too old to be continued, the rest
 * is listed as it is now, as the server offers; when it does not offer that, all is begun anew by the caller.
 */
export async function listAll<Projected>(
  client: ApiClient,
  path: string,
  project: (object: KubeObject) => Projected | undefined,
  signal: AbortSignal,
): Promise<Listed<Projected>> {
  const items: Projected[] = []
  let token: string | undefined
  let resourceVersion = ''
  do {
    const query = { limit: String(pageSize), ...(token === undefined ? {} : { continue: token }) }
    const page = await getPage(client, path, query, signal)
    for (const item of page.items ?? []) {
      const projected = project(item)
      if (projected !== undefined) items.push(projected)
    }
    // Later pages are of the same moment as the first, unless the server has said otherwise.
    resourceVersion = page.metadata?.resourceVersion ?? resourceVersion
    token = page.metadata?.continue === '' ? undefined : page.metadata?.continue
  } while (token !== undefined)
  if (resourceVersion === '') throw new ApiError(200, 'a list without a resource version')
  return { items, resourceVersion }
}

async function getPage(
  client: ApiClient,
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<ListPage> {
  const { status, retryAfter, body } = await client.get(path, query, signal)
  const answer = await text(body)
  if (status === 200) return parsePage(answer)
  const inconsistent = status === GONE ? parsePage(answer).metadata?.continue : undefined
  if (inconsistent) return { metadata: { continue: inconsistent }, items: [] }
  throw new ApiError(status, answer.slice(0, 300), retryAfter)
}

function parsePage(answer: string): ListPage {
  try {
    return JSON.parse(answer) as ListPage
  } catch {
    throw new ApiError(200, 'half an answer')
  }
}
