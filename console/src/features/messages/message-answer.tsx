import { ApiError, type messages } from '@busbar/contract'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { refusalWords } from '../../shared/api/refusal-words.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { messageKey, messageListKey, unreadQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Row, Text } from '../../shared/ui/layout/layout.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import css from './message-pane.module.css'

/** Whether an offer or an invitation needs its reader's answer, or how it ended. */
export type AnswerState = Pick<messages.Message, 'mayAnswer' | 'outcome'>

interface MessageAnswerProps extends AnswerState {
  /** Sends the answer. */
  answer: (isAccepted: boolean) => Promise<unknown>
  /** Queries that the answer changes, beside those of messages. */
  changes: readonly QueryKey[]
  texts: {
    readonly hint?: string
    readonly accept: string
    readonly refuse: string
    readonly accepted: string
    readonly refused: string
    readonly gone: string
    readonly outcomes: Readonly<Record<messages.MessageOutcome, string>>
    readonly failed: string
  }
}

/** Answers an offer or an invitation in its message: two buttons, or the note how it ended. */
export function MessageAnswer({ mayAnswer, outcome, answer, changes, texts: t }: MessageAnswerProps) {
  const lang = useLang()
  const client = useQueryClient()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: answer,
    onSuccess: (_, isAccepted) => showToast(isAccepted ? t.accepted : t.refused),
    onSettled: () =>
      Promise.all(
        [messageKey, messageListKey, unreadQuery.queryKey, ...changes].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
  if (!mayAnswer)
    return (
      <Text as="p" line="top" pad="12 16" tone="quiet">
        {outcome ? t.outcomes[outcome] : t.gone}
      </Text>
    )
  const known = error instanceof ApiError && error.http === 200 && refusalWords(error, lang)
  return (
    <Box as="section" line="top" pad="14 16" className={css.section}>
      {t.hint && (
        <Text as="p" below={12} tone="soft" pretty>
          {t.hint}
        </Text>
      )}
      {error && (
        <p role="alert" className={form.error}>
          <Icon name="warning" size={14} />
          {known || t.failed}
        </p>
      )}
      <Row gap={8} wraps className={css.answers}>
        <Button
          kind="primary"
          icon="check"
          busy={isPending && variables}
          disabled={isPending}
          onClick={() => mutate(true)}
        >
          {t.accept}
        </Button>
        <Button busy={isPending && !variables} disabled={isPending} onClick={() => mutate(false)}>
          {t.refuse}
        </Button>
      </Row>
    </Box>
  )
}
