import { memo, useEffect, useRef } from 'react'
import { AuditStateTag } from '../../entities/application/audit-state-tag.tsx'
import { formatExact, formatRelative, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Box, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { formatBody } from './message-body.ts'
import css from './message-list.module.css'
import type { Message } from './message-queries.ts'
import { NoMessages } from './no-messages.tsx'
import type { MessageListView } from './use-message-list.ts'

interface MessageListProps {
  view: MessageListView
  openId: number | null
  /** The message the keyboard is on. */
  activeId: number | null
  onOpen: (id: number) => void
  onRemove: (message: Message) => void
  onShowAll: () => void
}

/** The messages of a page, one per row. */
export function MessageList(props: MessageListProps) {
  const { view, openId, activeId, onOpen, onRemove } = props
  const t = useText().messages
  const now = useNow(15_000)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (activeId !== null) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  if (view.status === 'loading') return <Waiting />
  if (view.status === 'failed') {
    return (
      <EmptyState icon="offline" title={t.failed.title} hint={t.failed.hint}>
        <Button icon="refresh" busy={view.retrying} onClick={view.retry}>
          {t.failed.retry}
        </Button>
      </EmptyState>
    )
  }
  if (view.rows.length === 0) return <NoMessages view={view} onShowAll={props.onShowAll} />

  function toggle(id: number) {
    const chosen = new Set(view.chosen)
    if (!chosen.delete(id)) chosen.add(id)
    view.choose(chosen)
  }
  return (
    <Box ref={list} as="ul" grows aria-label={t.list}>
      {view.rows.map((message) => (
        <MessageRow
          key={message.id}
          message={message}
          when={formatRelative(message.created_at, now)}
          isOpen={message.id === openId}
          isActive={message.id === activeId}
          isChosen={view.chosen.has(message.id)}
          onToggle={() => toggle(message.id)}
          onOpen={() => onOpen(message.id)}
          onRemove={() => onRemove(message)}
        />
      ))}
    </Box>
  )
}

interface MessageRowProps {
  message: Message
  /** The age of the message, in words. */
  when: string
  isOpen: boolean
  isActive: boolean
  isChosen: boolean
  onToggle: () => void
  onOpen: () => void
  onRemove: () => void
}

const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, when, isOpen, isActive, isChosen, onToggle, onOpen, onRemove } = props
  const t = useText().messages
  const { title, type, machine, created_at: at } = message
  return (
    <li
      className={css.row}
      data-subject=""
      data-unread={!message.read || undefined}
      data-open={isOpen || undefined}
      data-active={isActive || undefined}
    >
      <label className={css.choice}>
        <input type="checkbox" aria-label={t.select(title)} checked={isChosen} onChange={onToggle} />
      </label>
      <button type="button" className={css.open} aria-current={isOpen || undefined} onClick={onOpen}>
        {!message.read && <span className="sr-only">{t.unread}: </span>}
        <Text tone="quiet" size={12} cut className={css.type}>
          {t.types[type]}
        </Text>
        <Stack as="span" shrinks className={css.words}>
          <Text tone="soft" leading={18} className={`${css.title} cut`}>
            {title}
          </Text>
          {/* The times and names that somebody decides on are read whole. */}
          <Text tone="quiet" size="12/16" {...(message.mayAnswer ? { breaks: true } : { cut: true })}>
            {formatBody(message)}
          </Text>
        </Stack>
        <span className={css.state}>
          <MessageState message={message} />
        </span>
        <Text tone="soft" size={12} cut className={css.machine} title={machine?.name}>
          {machine?.name}
        </Text>
        <time className={css.when} dateTime={new Date(at).toISOString()} data-tip={formatExact(at)}>
          {when}
        </time>
      </button>
      <IconButton
        icon="trash"
        size="small"
        label={t.removeOf(title)}
        className={css.remove}
        onClick={onRemove}
      />
    </li>
  )
})

/** The action expected of the reader, or the state of the application. */
function MessageState({ message }: { message: Message }) {
  const t = useText().messages
  if (message.mayAnswer) return <span className={css.asks}>{t.needsAnswer}</span>
  const isTold = message.type === 'bindSuccess' || message.type === 'visitSuccess'
  return message.auditState === null || isTold ? null : <AuditStateTag state={message.auditState} />
}

function Waiting() {
  return (
    <Box as="ul" grows aria-hidden="true">
      {[220, 160, 260, 190, 240, 150].map((width) => (
        <li key={width} className={css.row}>
          <span className={css.choice} />
          <span className={css.open}>
            <Skeleton width={56} />
            <Stack as="span" shrinks className={css.words}>
              <Skeleton width={width} />
              <Skeleton width={width * 0.7} height={10} />
            </Stack>
          </span>
        </li>
      ))}
    </Box>
  )
}
