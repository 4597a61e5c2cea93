import { useRef, useState } from 'react'

interface Draft<T> {
  readonly draft: T
  /** Keeps the typed value until it is committed. */
  readonly change: (draft: T) => void
  readonly commit: () => void
}

/**
 * The typed text of a field with several parts. It is valid now and then while a person types: a year begins
 * with its first digit. It is handed on when it is committed: by Enter, by leaving the field, by closing its
 * calendar.
 * @param key tells two values apart; a new value replaces the typed text
 */
export function useDraft<T>(value: T, key: string, onCommit: (value: T) => void): Draft<T> {
  const [typed, setTyped] = useState<{ readonly key: string; readonly draft: T }>()
  // An event before the next render must see it, too.
  const latest = useRef(typed)
  latest.current = typed
  return {
    draft: typed?.key === key ? typed.draft : value,
    change(draft) {
      latest.current = { key, draft }
      setTyped(latest.current)
    },
    commit() {
      const last = latest.current
      latest.current = undefined
      if (last?.key === key) onCommit(last.draft)
    },
  }
}
