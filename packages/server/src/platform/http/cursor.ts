import { createHash, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../auth/secrets.ts'
import { Problem } from './problem.ts'

const lifeMs = 24 * 3_600_000

export type CursorScope = {
  /** The name of the list; a cursor of another list is rejected. */
  list: string
  /** Sort and filters: a cursor continues its own list, not a different selection. */
  selection: Record<string, unknown>
}

type Payload = [list: string, selection: string, issuedMs: number, key: string[]]

/** Signed keyset cursors: a valid cursor was issued by us, so it needs no further check before SQL. */
export function encodeCursor(secrets: Secrets, scope: CursorScope, key: string[], now: Date): string {
  const payload: Payload = [scope.list, selectionHash(scope), now.getTime(), key]
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${text}.${signature(secrets, text)}`
}

export function decodeCursor(
  secrets: Secrets,
  scope: CursorScope,
  cursor: string | undefined,
  now: Date,
): string[] | undefined {
  if (cursor === undefined) return undefined
  const [text = ''] = cursor.split('.')
  if (!isSame(cursor, `${text}.${signature(secrets, text)}`)) throw foreign()
  const [list, selection, issuedMs, key] = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload
  if (list !== scope.list || selection !== selectionHash(scope)) throw foreign()
  if (now.getTime() - issuedMs > lifeMs) {
    throw new Problem('cursor_expired', 'The cursor is older than 24 hours; start again from the first page.')
  }
  return key
}

/** Drops the additional row that shows whether there are more. */
export function page<Row>(rows: Row[], limit: number, next: (last: Row) => string) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { shown, next_cursor: hasMore ? next(last) : null, has_more: hasMore }
}

const signature = (secrets: Secrets, text: string) => secrets.mac(`cursor:${text}`).toString('base64url').slice(0, 22)

/** In constant time, so that timing does not reveal the signature. */
function isSame(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function selectionHash({ selection }: CursorScope): string {
  const entries = Object.entries(selection).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(entries)).digest('base64url').slice(0, 12)
}

const foreign = () =>
  new Problem('invalid_cursor', 'The cursor belongs to another list or to other parameters.', {
    errors: [{ parameter: 'cursor', code: 'cursor', detail: 'does not belong to this list' }],
  })
