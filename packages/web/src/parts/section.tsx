import { useId, type ReactNode } from 'react'

type Props = { title: ReactNode; meta?: ReactNode; end?: ReactNode; className?: string; children: ReactNode }

/** A titled section below a rule. */
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
