import { ApiError, type telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { formatClock, formatExact, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { copyText } from '../../../shared/ui/copy-text.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import type { HeldDetail } from '../machine.ts'
import { rawMessagesQuery } from '../machine-queries.ts'
import css from './raw-messages.module.css'
import { useRawMessagesText } from './raw-messages-text.ts'
import { payloadText, viewPayload } from './raw-payload.ts'

type RawMessage = telemetry.RawMessage

interface RawMessagesProps {
  machineId: number
  textEncoding: HeldDetail['textEncoding']
}

/** The last messages of a machine, byte by byte, and how the platform read them. */
export function RawMessages({ machineId, textEncoding }: RawMessagesProps) {
  const text = useText()
  const t = useRawMessagesText()
  const query = useQuery(rawMessagesQuery(machineId))
  const [onlyProblems, setOnlyProblems] = useState(false)
  const [opened, setOpened] = useState<string>()
  const { data, error } = query

  if (error instanceof ApiError && error.isForbidden) return <EmptyState icon="lock" title={t.noRight} />
  if (!data) {
    if (!query.isError) return <RawSkeleton />
    return (
      <EmptyState icon="warning" title={t.failed} hint={text.machines.failed.hint}>
        <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
          {text.machines.failed.retry}
        </Button>
      </EmptyState>
    )
  }
  const refresh = (
    <Button size="small" icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
      {t.refresh}
    </Button>
  )
  if (data.length === 0) {
    return (
      <EmptyState icon="history" title={t.empty} hint={t.emptyHint}>
        {refresh}
      </EmptyState>
    )
  }
  const shown = onlyProblems ? data.filter(isProblem) : data
  return (
    <section className={css.raw} aria-label={t.title}>
      <div className={css.head}>
        <Text as="p" tone="soft" size="12/18" pretty>
          {t.hint}
        </Text>
        <Row above={8} gap="8 16" wraps>
          <Row as="span" gap={8} inline tone="soft" size={12}>
            <Switch checked={onlyProblems} onChange={setOnlyProblems} label={t.onlyProblems} />
            <span aria-hidden="true">{t.onlyProblems}</span>
          </Row>
          <Text last tone="quiet" size={12} numbers>
            {t.updated(formatClock(query.dataUpdatedAt))}
          </Text>
          {refresh}
        </Row>
      </div>
      {shown.length === 0 ? (
        <Text as="p" pad="20 16" tone="quiet">
          {t.noProblems}
        </Text>
      ) : (
        <ul className={css.list}>
          {keyed(shown).map(({ key, message }) => (
            <Message
              key={key}
              message={message}
              textEncoding={textEncoding}
              open={opened === key}
              onToggle={() => setOpened(opened === key ? undefined : key)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Results of messages whose values are all stored. */
const fine: readonly RawMessage['verdict'][] = ['stored', 'repeated', 'empty']

/** Whether a part of a message was not stored. */
const isProblem = ({ verdict }: RawMessage): boolean => !fine.includes(verdict)

/** Messages lack ids, and several may have come in one millisecond. */
function keyed(messages: readonly RawMessage[]): { key: string; message: RawMessage }[] {
  const counts = new Map<string, number>()
  // Counted from the oldest, so that later ones do not rename the earlier ones.
  return messages
    .toReversed()
    .map((message) => {
      const name = `${message.at} ${message.topic}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return { key: `${name} ${count}`, message }
    })
    .toReversed()
}

interface MessageProps {
  message: RawMessage
  textEncoding: HeldDetail['textEncoding']
  open: boolean
  onToggle: () => void
}

function Message({ message, textEncoding, open, onToggle }: MessageProps) {
  const t = useRawMessagesText()
  const { adapters } = useText().raw
  const { at, topic, bytes, adapter, verdict, detail } = message
  const problem = isProblem(message)
  return (
    <Box as="li" line="bottom">
      <button type="button" className={css.row} aria-expanded={open} onClick={onToggle}>
        <Icon name={open ? 'chevronDown' : 'chevronRight'} size={14} />
        <Text tone="soft" numbers title={formatExact(at)}>
          {`${formatClock(at)}.${String(at % 1_000).padStart(3, '0')}`}
        </Text>
        <Text tone="text" className={classes('mono', 'cut')} title={topic}>
          {topic}
        </Text>
        <Row as="span" gap={4} inline tone="quiet" oneLine className={classes(problem && css.problem)}>
          {problem && <Icon name="warning" size={13} />}
          {t.verdicts[verdict]}
        </Row>
        <Text tone="quiet" size="11/16" breaks className={css.under}>
          {adapter ? adapters[adapter] : t.noAdapter} · {t.bytes(formatNumber(bytes))}
          {detail && <span className={css.detail}>{detail}</span>}
        </Text>
      </button>
      {open && <Payload message={message} textEncoding={textEncoding} />}
    </Box>
  )
}

function Payload({
  message: { head, bytes, topic },
  textEncoding,
}: Pick<MessageProps, 'message' | 'textEncoding'>) {
  const t = useRawMessagesText()
  const view = useMemo(() => viewPayload(head, textEncoding), [head, textEncoding])
  const headBytes = Math.floor((head.replace(/=+$/, '').length * 3) / 4)

  if (view.kind === 'none')
    return (
      <Text as="p" pad="20 16" tone="quiet">
        {t.noPayload}
      </Text>
    )
  return (
    <div className={css.payload}>
      <IconButton
        icon="copy"
        size="small"
        label={t.copy}
        className={css.copy}
        onClick={() => void copyText(payloadText(view))}
      />
      <Text as="p" below={8} tone="soft" size="11/16" breaks className={classes(css.whole, 'mono')}>
        {topic}
      </Text>
      {view.kind === 'text' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the keyboard
        <section className={css.code} tabIndex={0} aria-label={t.payload}>
          {view.text}
        </section>
      ) : (
        <>
          {view.readable.length > 0 && (
            <>
              <h4 className={css.title}>{t.readable}</h4>
              <Row as="ul" gap={4} align="stretch" wraps className={css.readable}>
                {view.readable.map((part) => (
                  <li key={part} className="mono">
                    {part}
                  </li>
                ))}
              </Row>
            </>
          )}
          {/*
           * biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the
           * keyboard
           */}
          <section className={css.code} tabIndex={0} aria-label={t.payload}>
            {view.lines.map(({ offset, hex, text: letters }) => (
              <span key={offset} className={css.line}>
                <i>{offset}</i> <b>{hex.padEnd(47)}</b> <span>{letters}</span>
                {'\n'}
              </span>
            ))}
          </section>
        </>
      )}
      {headBytes < bytes && (
        <Text as="p" above={6} tone="quiet" size={11}>
          {t.cut(formatNumber(headBytes), formatNumber(bytes))}
        </Text>
      )}
    </div>
  )
}

function RawSkeleton() {
  return (
    <div className={css.head} aria-busy="true">
      <Skeleton width={220} height={14} />
      {[0, 1, 2, 3, 4].map((place) => (
        <Skeleton key={place} height={38} className={css.waiting} />
      ))}
    </div>
  )
}
