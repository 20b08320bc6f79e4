import { Link } from '@tanstack/react-router'
import { Message } from '../parts/states.tsx'

export function NotFoundPage() {
  return (
    <main className="page">
      <h1 className="sr-only">Not found</h1>
      <Message
        icon="search"
        title="There is no such page"
        actions={
          <Link to="/" className="link">
            Go to the overview
          </Link>
        }
      >
        The address may be mistyped, or what it showed is gone.
      </Message>
    </main>
  )
}
