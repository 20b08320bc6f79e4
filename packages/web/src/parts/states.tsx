import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { isTooOften, secondsToWait } from '../api/retry.ts'
import { ApiError } from '@plimsoll/client'
import { isConflict } from '../api/client.ts'
import { fieldErrors, isAllShown, wrongAt, type OwnWords } from '../api/field-errors.ts'
import { Icon, type IconName } from './icon.tsx'
import { useNow } from './now.ts'

type MessageProps = { icon: IconName; tone?: 'ok' | 'danger'; title: string; children?: ReactNode; actions?: ReactNode }

/** Names the reason and the next step. Replaces blank pages and unknown values. */
export function Message({ icon, tone, title, children, actions }: MessageProps) {
  return (
    <div className="flex gap-3 py-3">
      <span className={tone === undefined ? 'pt-0.5 text-ink-3' : `pt-0.5 tone-${tone}`}>
        <Icon name={icon} />
      </span>
      <div className="max-w-[60ch] min-w-0">
        <p className="font-semibold">{title}</p>
        {children !== undefined && <div className="mt-0.5 text-ink-2">{children}</div>}
        {actions !== undefined && <div className="mt-3 flex flex-wrap items-center gap-3">{actions}</div>}
      </div>
    </div>
  )
}

/** Placeholder rows while data loads. */
export function Loading({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_each, index) => (
        <div key={index} className="flex h-8 items-center justify-between border-b border-rule">
          <span className="skeleton" style={{ width: `${34 - ((index * 7) % 17)}%` }} />
          <span className="skeleton" style={{ width: `${18 - ((index * 5) % 9)}%` }} />
          <span className="skeleton" style={{ width: '7%' }} />
        </div>
      ))}
    </div>
  )
}

export function Failed({ error, retry, what }: { error: Error; retry?: () => void; what: string }) {
  if (error instanceof ApiError && error.status === 403) {
    const needed = error.members.required_permission
    return (
      <Message
        icon="lock"
        title={typeof needed === 'string' ? `${what} requires ${needed}` : `Your role has no access to this page`}
      >
        {error.message} An admin can grant access in Settings → Roles.
      </Message>
    )
  }
  if (error instanceof ApiError && error.status === 404)
    return <Message icon="search" title={`${what} was not found`} />
  const isOffline = error instanceof ApiError && error.code === 'offline'
  return (
    <Message
      icon="alert"
      tone="danger"
      title={isOffline ? 'The service does not respond' : `${what} could not be loaded`}
      actions={
        <>
          {retry !== undefined && (
            <button type="button" className="button" onClick={retry}>
              Try again
            </button>
          )}
          {error instanceof ApiError && error.requestId !== undefined && (
            <code className="text-ink-3">{error.requestId}</code>
          )}
        </>
      }
    >
      {error.message}
      {isOffline && ' The page shows the last loaded data. No data is lost: agents keep their data and send it later.'}
    </Message>
  )
}

type Asked<Data> = Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'failureReason'> & {
  refetch: () => Promise<unknown>
}

type QueryStateProps<Data> = {
  query: Asked<Data>
  what: string
  loading?: ReactNode
  children: (data: Data) => ReactNode
}

/** Loaded data stays on the screen when a refresh fails; the top bar shows that the data is old. */
export function QueryState<Data>({ query, what, loading, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.isError && query.error) return <Failed error={query.error} what={what} retry={() => void query.refetch()} />
  if (isTooOften(query.failureReason)) return <InAMoment error={query.failureReason} what={what} />
  return <>{loading ?? <Loading />}</>
}

/** The rate limit delays the data; shows the time until the next attempt. */
export function InAMoment({ error, what }: { error: ApiError; what: string }) {
  return (
    <Message icon="clock" title={`${what} is delayed by the rate limit`}>
      Too many requests in one minute. The next attempt starts automatically{' '}
      <CountDown until={error.at.getTime() + 1000 * secondsToWait(error)} />.
    </Message>
  )
}

function CountDown({ until }: { until: number }) {
  const seconds = Math.ceil((until - useNow(1000).getTime()) / 1000)
  return <span role="timer">{seconds > 0 ? `in ${seconds} s` : 'now'}</span>
}

type Failure = [
  failure: ReactNode,
  run: (work: () => Promise<unknown>) => Promise<boolean>,
  /** The error of a field, by its pointer. */
  wrong: (field: string) => string | undefined,
]

/** For forms: the errors of the service. An error of a shown field appears only beside that field. */
export function useFailure(fields: readonly string[] = [], ownWords: OwnWords = {}): Failure {
  const [error, setError] = useState<Error | null>(null)
  const run = async (work: () => Promise<unknown>) => {
    setError(null)
    try {
      await work()
      return true
    } catch (caught) {
      setError(caught instanceof Error ? caught : new Error(String(caught)))
      return false
    }
  }
  const errors = fieldErrors(error, ownWords)
  const failure = error && !isAllShown(errors, fields) && (
    <p className="state tone-danger whitespace-normal" role="alert">
      <Icon name="alert" />
      {isConflict(error) ? conflict : error.message}
    </p>
  )
  return [failure, run, (field) => wrongAt(errors, field)]
}

const conflict =
  'Another user changed these values. The page now shows the new values. Repeat your change if you still need it.'
