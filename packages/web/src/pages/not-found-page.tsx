import { Link } from '@tanstack/react-router'
import { KeyHint } from '../parts/key-hint.tsx'
import { paletteKeys } from '../parts/keys.ts'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message } from '../parts/states.tsx'

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <Section title="Page not found">
        <Message
          icon="search"
          title={location.pathname}
          actions={
            <Link to="/" className="button">
              Open overview
            </Link>
          }
        >
          The address is wrong, or the object was deleted. Press <KeyHint>{paletteKeys}</KeyHint> to find pages,
          clusters, namespaces and workloads.
        </Message>
      </Section>
    </Page>
  )
}
