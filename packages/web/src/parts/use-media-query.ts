import { useSyncExternalStore } from 'react'

/** Whether a media query matches; updates on changes. */
export function useMediaQuery(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
