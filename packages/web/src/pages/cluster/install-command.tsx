import type { InstallCommands } from '@plimsoll/contract'
import { useState, type ReactNode } from 'react'
import { CopyButton, Segmented } from '../../parts/controls.tsx'
import { Section } from '../../parts/section.tsx'

type Way = 'helm' | 'kubectl'

type Props = {
  install: InstallCommands
  /** The placeholder for a token that is no longer known. */
  token: string | undefined
  title?: string
  meta?: string
  children?: ReactNode
}

/** `--set image=…` and `?image=…`. */
const flag = /(--set \S+|\?image=\S+)/

const ways: { value: Way; word: string }[] = [
  { value: 'helm', word: 'Helm' },
  { value: 'kubectl', word: 'kubectl' },
]

export function InstallCommand({
  install,
  token,
  title = 'Run this command with kubectl access to the cluster',
  meta = 'the token is shown only once',
  children,
}: Props) {
  const [how, setHow] = useState<Way>(install.helm === null ? 'kubectl' : 'helm')
  const command = install[how] ?? install.kubectl
  const [before, after] = token === undefined ? [command] : command.split(token)
  return (
    <Section
      title={title}
      meta={meta}
      end={
        <span className="flex items-center gap-2">
          {install.helm !== null && <Segmented label="Install with" value={how} options={ways} onChange={setHow} />}
          <CopyButton text={command} />
        </span>
      }
    >
      <pre className="code [overflow-wrap:anywhere] whitespace-pre-wrap" tabIndex={0} aria-label="Command">
        {before}
        {after !== undefined && (
          <>
            <mark className="bg-transparent font-semibold text-accent">{token}</mark>
            {after}
          </>
        )}
      </pre>
      {children}
      <p className="mt-2 text-ink-2">
        {install.note.split(flag).map((part, index) =>
          // A flag must not break after its hyphens.
          index % 2 === 1 ? (
            <code key={index} className="whitespace-nowrap">
              {part}
            </code>
          ) : (
            part
          ),
        )}
      </p>
    </Section>
  )
}
