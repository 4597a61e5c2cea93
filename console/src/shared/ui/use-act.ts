import { ApiError } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refusalWords } from '../api/refusal-words.ts'
import { getLang, useText } from '../i18n/index.ts'
import { showToast } from './toast/toast-store.ts'

/** The message for a refusal; undefined if the console reports it in one place for all calls. */
export function refusalText(error: unknown, otherwise: string): string | undefined {
  if (!(error instanceof ApiError)) return otherwise
  if (error.http !== 200) return undefined
  return refusalWords(error, getLang()) ?? error.message
}

/** Runs one call, reports its result, and reloads everything it may have changed. */
export function useAct<Input = void>(options: {
  call: (input: Input) => Promise<unknown>
  done: string | ((input: Input) => string)
  /** The queries that are reloaded after the call, whatever its outcome. */
  touched: readonly (readonly unknown[])[]
  onDone?: () => void
  /** Explains a failure; without it a notice does. without it a notice does. */
  onRefused?: (text: string | undefined) => void
}) {
  const t = useText().access.confirm
  const queries = useQueryClient()
  const { call, done, touched, onDone, onRefused } = options
  return useMutation({
    mutationFn: call,
    onSuccess: (_, input: Input) => {
      showToast(typeof done === 'string' ? done : done(input))
      onDone?.()
    },
    onError: (error) => {
      const text = refusalText(error, t.failed)
      if (onRefused) onRefused(text)
      else if (text) showToast(text, 'failure')
    },
    onSettled: () => Promise.all(touched.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}
