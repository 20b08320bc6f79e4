import { useEffect, useState } from 'react'

/** The value once it has stayed unchanged for a moment, to avoid one request per letter. Until then, `first`. */
export function useDebounced<Value>(value: Value, pauseMs = 250, first = value): Value {
  const [settled, setSettled] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
