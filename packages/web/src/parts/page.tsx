import { useEffect, type ReactNode } from 'react'

type Props = { title: string; heading?: ReactNode; sub?: ReactNode; actions?: ReactNode; children: ReactNode }

export function Page({ title, heading, sub, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Plimsoll`
  }, [title])
  return (
    <main className="page" id="main" tabIndex={-1}>
      <div className="page-head">
        <h1>{heading ?? title}</h1>
        {sub !== undefined && <span className="muted">{sub}</span>}
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </main>
  )
}
