import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client.ts'
import './design/app.css'
import { applyTheme } from './parts/theme.ts'
import { Toasts } from './parts/toast.tsx'
import { makeRouter } from './router.tsx'

/** What the caller got wrong does not get right by asking again; asking too often gets right by waiting. */
const isWorthAskingAgain = (error: Error) =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500

const waitMs = (_failures: number, error: Error) =>
  error instanceof ApiError && error.status === 429 ? 1000 * Number(error.members.retryAfterSeconds ?? 10) : 1000

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 1 && isWorthAskingAgain(error),
      retryDelay: waitMs,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

applyTheme()
const router = makeRouter(queries)
const root = document.getElementById('app')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Toasts>
          <RouterProvider router={router} />
        </Toasts>
      </QueryClientProvider>
    </StrictMode>,
  )
}
