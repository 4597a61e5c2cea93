import { type AnswerOf, downloads } from '@busbar/contract'
import { useEffect, useState } from 'react'
import { call } from '../../shared/api/client.ts'

type Downloads = AnswerOf<typeof downloads.listDownloads>

interface LoadedDownloads {
  /** Undefined until it came. */
  readonly list: Downloads | undefined
  readonly isFailed: boolean
  retry(): void
}

/** The programs that the platform offers. */
export function useDownloads(): LoadedDownloads {
  const [list, setList] = useState<Downloads>()
  const [isFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads it again
  useEffect(() => {
    const controller = new AbortController()
    setFailed(false)
    call(downloads.listDownloads, {}, { signal: controller.signal, silent: true }).then(setList, () => {
      if (!controller.signal.aborted) setFailed(true)
    })
    return () => controller.abort()
  }, [tries])
  return { list, isFailed, retry: () => setTries((count) => count + 1) }
}
