import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react'

type ToastAction = { label: string; run: () => void }

export type Toast = { text: string; actions?: readonly ToastAction[]; undo?: () => void }

const ToastContext = createContext<(toast: Toast) => void>(() => undefined)

export const useToast = () => useContext(ToastContext)

const shownMs = 8000

export function Toasts({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null)
  const show = useCallback((next: Toast) => setToast(next), [])
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => setToast(null), shownMs)
    return () => clearTimeout(timer)
  }, [toast])
  const undo = () => {
    toast?.undo?.()
    setToast(null)
  }
  return (
    <ToastContext value={show}>
      {children}
      <div role="status" aria-live="polite">
        {toast && (
          <div className="toast">
            {toast.text}
            {toast.actions?.map(({ label, run }) => (
              <button key={label} type="button" onClick={run}>
                {label}
              </button>
            ))}
            {toast.undo && (
              <button type="button" onClick={undo}>
                Undo
              </button>
            )}
          </div>
        )}
      </div>
    </ToastContext>
  )
}
