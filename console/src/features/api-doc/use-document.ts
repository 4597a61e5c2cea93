import { useEffect, useState } from 'react'
import { useLang } from '../../shared/i18n/language.ts'
import { fetchDocument, listOperations, type Operation } from './openapi.ts'

export interface LoadedDocument {
  /** Empty until they came. */
  readonly operations: readonly Operation[]
  readonly failed: boolean
  retry(): void
}

/**
 * The calls of the platform in the language spoken; those of the other language stay until the new ones have
 * loaded.
 */
export function useDocument(): LoadedDocument {
  const lang = useLang()
  const [operations, setOperations] = useState<readonly Operation[]>([])
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads it again
  useEffect(() => {
    const controller = new AbortController()
    setFailed(false)
    fetchDocument(lang, controller.signal).then(
      (document) => setOperations(listOperations(document)),
      () => controller.signal.aborted || setFailed(true),
    )
    return () => controller.abort()
  }, [lang, tries])
  return { operations, failed, retry: () => setTries((count) => count + 1) }
}
