import { ApiError, GONE, messageIn, type ApiClient } from './api-client.ts'
import { text } from './lines.ts'
import { readList } from './read-list.ts'

/** The common fields of all API objects. */
export type KubeObject = {
  metadata?: { uid?: string; name?: string; namespace?: string; resourceVersion?: string }
}

type ListPage = { metadata?: { resourceVersion?: string; continue?: string } }

export type Listed<Projected> = { items: Projected[]; resourceVersion: string }

/** The media types differ between a list and a watch. */
export type Accept = { readonly list: string; readonly watch: string }

export type ListOptions<Projected> = {
  client: ApiClient
  path: string
  /** Extracts the needed fields; undefined: the object is ignored. */
  project: (object: KubeObject) => Projected | undefined
  /** The media types of the objects; default: full JSON. */
  accept?: Accept
  /** A selector; default: all objects. */
  selection?: Readonly<Record<string, string>>
  signal: AbortSignal
}

const pageSize = 500
/** A page that takes longer has failed. */
const pageMs = 300_000

/**
 * Lists a kind page by page and stores only the needed fields. If a page token has expired, the list continues with the
 * token that the server offers. Without such a token the caller starts again.
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
    // All pages have the version of the first page, unless the server says otherwise.
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
  throw new ApiError(status, messageIn(answer), { retryAfter })
}

function offeredToken(answer: string): string | undefined {
  try {
    return (JSON.parse(answer) as ListPage).metadata?.continue
  } catch {
    return undefined
  }
}
