import { CopyButton } from '../../parts/controls.tsx'

type Step = { tool: string; description: string; command: string; lines?: string | null; expect?: string }

export function Commands({ title, steps }: { title: string; steps: readonly Step[] }) {
  if (steps.length === 0) return null
  return (
    <dl className="grid gap-x-3 gap-y-3 phone:grid-cols-[56px_minmax(0,1fr)]">
      {steps.map((step, index) => (
        <div key={`${step.tool} ${step.command}`} className="contents">
          <dt className={`text-sm text-ink-3 ${index === 0 ? '' : 'max-phone:hidden'}`}>{index === 0 && title}</dt>
          <dd className="min-w-0">
            <CommandStep step={step} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A longer command is folded. */
const longest = 320

function CommandStep({ step: { description, command, lines = null, expect } }: { step: Step }) {
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        {command.length > longest ? (
          <details className="min-w-0 pt-1">
            <summary className="link min-h-6 cursor-pointer">Show command</summary>
            <code className="[overflow-wrap:anywhere]">{command}</code>
          </details>
        ) : (
          <code className="min-w-0 pt-1 [overflow-wrap:anywhere]">{command}</code>
        )}
        <span className="shrink-0">
          <CopyButton text={command} />
        </span>
      </div>
      <p className="text-sm text-ink-3">
        {description}
        {expect !== undefined && (
          <>
            {' '}
            Expected output: <code>{expect}</code>
          </>
        )}
      </p>
      {lines !== null && (
        <figure className="mt-1.5">
          <figcaption className="mb-1 flex items-center justify-between gap-3 text-sm text-ink-3">
            Lines to add
            <CopyButton text={lines} what="Copy lines" />
          </figcaption>
          <pre className="code" tabIndex={0} aria-label="Lines to add">
            {lines}
          </pre>
        </figure>
      )}
    </>
  )
}
