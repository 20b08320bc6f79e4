import { useEffect, type ReactNode } from 'react'
import { Logo } from '../parts/logo.tsx'

/** The frame of the pages before sign-in. */
export function SignedOutFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Plimsoll`
  }, [title])
  return (
    <main className="grid min-h-screen place-items-center px-4 py-12">
      <div className="w-full max-w-[380px]">
        <p className="mb-8 flex items-center gap-2.5 text-xl font-semibold tracking-tight">
          <Logo size={30} />
          Plimsoll
        </p>
        <div className="section pt-4">
          <h1 className="mb-4 text-lg font-semibold">{title}</h1>
          {children}
        </div>
      </div>
    </main>
  )
}
