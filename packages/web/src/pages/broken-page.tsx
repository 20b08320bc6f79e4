import { Failed } from '../parts/states.tsx'

export function BrokenPage({ error }: { error: unknown }) {
  return (
    <main className="page">
      <h1 className="sr-only">Page failed</h1>
      <Failed
        error={error instanceof Error ? error : new Error(String(error))}
        what="This page"
        retry={() => location.reload()}
      />
    </main>
  )
}
