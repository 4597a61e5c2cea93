import { ApiError } from '@busbar/contract'
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { refusalWords } from '../api/refusal-words.ts'
import { getLang, useText } from '../i18n/index.ts'
import { showToast } from './toast/toast-store.ts'

/** The message for a refusal; undefined if the console reports it in one place for all calls. */
export function refusalText(error: unknown, otherwise: string): string | undefined {
  if (!(error instanceof ApiError)) return otherwise
  if (error.http !== 200) return undefined
  return refusalWords(error, getLang()) ?? error.message
}

/** The data that an act changes: queries, by the beginnings of their keys, or a function that reloads it. */
export type Touched<Input = void> =
  | readonly QueryKey[]
  | ((input: Input) => readonly QueryKey[] | Promise<unknown>)

/** Reloads what an act may have changed. */
export async function reloadTouched<Input>(
  client: QueryClient,
  touched: Touched<Input>,
  input: Input,
): Promise<void> {
  const found = typeof touched === 'function' ? touched(input) : touched
  if (found instanceof Promise) await found
  else await Promise.all(found.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** Runs one call, reports its result, and reloads everything it may have changed. */
export function useAct<Input = void>(options: {
  call: (input: Input) => Promise<unknown>
  done: string | ((input: Input) => string | undefined)
  /** Offered after it. */
  undo?: (input: Input) => (() => Promise<unknown>) | undefined
  /** Reloaded after the call, whatever its outcome. */
  touched: Touched<Input>
  onDone?: () => void
  /** Explains a failure; without it a notice does. */
  onRefused?: (text: string | undefined) => void
}) {
  const t = useText().access.confirm
  const queries = useQueryClient()
  const { call, done, undo, touched, onDone, onRefused } = options
  const refuse = (error: unknown) => {
    const text = refusalText(error, t.failed)
    if (onRefused) onRefused(text)
    else if (text) showToast(text, 'failure')
  }
  return useMutation({
    mutationFn: call,
    onSuccess: (_, input: Input) => {
      const text = typeof done === 'string' ? done : done(input)
      const back = undo?.(input)
      if (text !== undefined)
        showToast(
          text,
          'done',
          back &&
            (() =>
              void back()
                .catch(refuse)
                .finally(() => reloadTouched(queries, touched, input))),
        )
      onDone?.()
    },
    onError: refuse,
    onSettled: (_, __, input) => reloadTouched(queries, touched, input),
  })
}
