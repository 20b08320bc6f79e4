import { ApiError, FORBIDDEN, GONE } from './api-client.ts'

/** What follows an error of a list or a watch. */
export type Relist = {
  /** The last resource version is useless, so the next attempt lists everything. */
  readonly needsList: boolean
  /** The next attempt starts without a wait. */
  readonly startsAtOnce: boolean
}

/**
 * After 410 Gone, the resource version is too old and the watch has lost changes: everything is listed again, the first
 * time at once. A server that keeps returning 410 must not be listed constantly. After a permission is granted again,
 * everything is listed too, because the watch may have lost changes. `list-watch.ts` calls this function after each error;
 * `list-all.ts` handles 410 between the pages of a list.
 */
export function relistAfter(error: unknown, { isRelisted }: { readonly isRelisted: boolean }): Relist {
  const isGone = isAnswer(error, GONE)
  return { needsList: isGone || isAnswer(error, FORBIDDEN), startsAtOnce: isGone && !isRelisted }
}

export const isAnswer = (error: unknown, status: number) => error instanceof ApiError && error.status === status
