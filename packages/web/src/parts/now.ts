import { useEffect, useState } from 'react'

/** The time, again and again: what is "21 s ago" must not stay so. */
export function useNow(everyMs = 10_000): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
