import { useEffect, useState } from 'react'

/** The current time, updated regularly, so that "21 s ago" stays correct. */
export function useNow(everyMs = 10_000): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
