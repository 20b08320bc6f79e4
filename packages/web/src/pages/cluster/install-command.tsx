import type { CreatedCluster } from '@plimsoll/contract'
import { useState } from 'react'
import { CopyButton, Segmented } from '../../parts/controls.tsx'
import { Section } from '../../parts/section.tsx'

type Way = 'helm' | 'kubectl'

type Props = { install: NonNullable<CreatedCluster['install']>; token: string | undefined }

const ways: { value: Way; word: string }[] = [
  { value: 'helm', word: 'Helm' },
  { value: 'kubectl', word: 'kubectl' },
]

export function InstallCommand({ install, token }: Props) {
  const [how, setHow] = useState<Way>(install.helm === null ? 'kubectl' : 'helm')
  const command = install[how] ?? install.kubectl
  const [before, after] = token === undefined ? [command] : command.split(token)
  return (
    <Section
      title="Run this where kubectl works"
      meta="the token is shown once"
      end={
        <span className="flex items-center gap-2">
          {install.helm !== null && <Segmented label="How to install" value={how} options={ways} onChange={setHow} />}
          <CopyButton text={command} />
        </span>
      }
    >
      <pre className="code [overflow-wrap:anywhere] whitespace-pre-wrap" tabIndex={0} aria-label="The command">
        {before}
        {after !== undefined && (
          <>
            <span className="text-accent">{token}</span>
            {after}
          </>
        )}
      </pre>
      <p className="mt-2 max-w-[80ch] text-ink-2">{install.note}</p>
    </Section>
  )
}
