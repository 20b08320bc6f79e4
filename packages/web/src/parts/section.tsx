import { useId, type ReactNode } from 'react'

type Props = { title: ReactNode; meta?: ReactNode; end?: ReactNode; className?: string; children: ReactNode }

/** Hangs from a line with its title, as an entry in a log-book does. */
export function Section({ title, meta, end, className = '', children }: Props) {
  const id = useId()
  return (
    <section className={`section ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {meta !== undefined && <span className="section-meta">{meta}</span>}
        {end !== undefined && <span className="section-end">{end}</span>}
      </header>
      {children}
    </section>
  )
}
