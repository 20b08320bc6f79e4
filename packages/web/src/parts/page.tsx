import { useEffect, type ReactNode } from 'react'
import { ViewsMenu } from './views-menu.tsx'

type Props = {
  title: string
  heading?: ReactNode
  sub?: ReactNode
  actions?: ReactNode
  /** The address of the page can be saved as a view. */
  hasViews?: boolean
  children: ReactNode
}

export function Page({ title, heading, sub, actions, hasViews = false, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Plimsoll`
  }, [title])
  return (
    <main className="page" id="main" tabIndex={-1}>
      <div className="page-head">
        <h1>{heading ?? title}</h1>
        {sub !== undefined && <span className="muted">{sub}</span>}
        {(actions !== undefined || hasViews) && (
          <div className="page-actions">
            {actions}
            {hasViews && <ViewsMenu title={title} />}
          </div>
        )}
      </div>
      {children}
    </main>
  )
}
