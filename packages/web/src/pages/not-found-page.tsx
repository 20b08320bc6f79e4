import { Link } from '@tanstack/react-router'
import { KeyHint } from '../parts/key-hint.tsx'
import { paletteKeys } from '../parts/keys.ts'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message } from '../parts/states.tsx'

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <Section title="There is no such page">
        <Message
          icon="search"
          title={location.pathname}
          actions={
            <Link to="/" className="button">
              Go to the overview
            </Link>
          }
        >
          The address may be mistyped, or what it showed is gone. <KeyHint>{paletteKeys}</KeyHint> finds pages,
          clusters, namespaces and workloads by name.
        </Message>
      </Section>
    </Page>
  )
}
