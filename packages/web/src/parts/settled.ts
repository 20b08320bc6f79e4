import { useEffect, useState } from 'react'

/** What a value is once it has stayed the same for a moment: each letter would be a request. Until then, `first`. */
export function useSettled<Value>(value: Value, pauseMs = 250, first = value): Value {
  const [settled, setSettled] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
