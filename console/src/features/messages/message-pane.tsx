import { ApiError } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { followInside } from '../../entities/access/keys-link.tsx'
import { maintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { enterAddress } from '../../entities/machine/enter-machine.ts'
import { formatExact, useLang, useText } from '../../shared/i18n/index.ts'
import { toAddress } from '../../shared/session/address.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Box, Row, Text } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { MachineWay } from './machine-way.tsx'
import { MessageApplication } from './message-application.tsx'
import { formatBody } from './message-body.ts'
import { MessageHandover } from './message-handover.tsx'
import { MessageInvitation } from './message-invitation.tsx'
import css from './message-pane.module.css'
import type { MessageProjectProps } from './message-project.tsx'
import { type Message, type MessageDetail, messageQuery } from './message-queries.ts'
import { MessageReportRequest } from './message-report-request.tsx'
import { MessageTransfer } from './message-transfer.tsx'
import { useRead } from './use-message-actions.ts'

const MessageProject = lazyPart<MessageProjectProps>(() =>
  import('./message-project.tsx').then((module) => module.MessageProject),
)

interface MessagePaneProps {
  id: number
  onClose: () => void
  onRemove: (message: Message) => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** A message beside the list, or over it on a phone. Opening it is reading it. */
export function MessagePane(props: MessagePaneProps) {
  const { id, onClose } = props
  const { messages: t } = useText()
  const lang = useLang()
  const { data: message, isError, isFetching, error, refetch } = useQuery(messageQuery(id, lang))
  useReading(message)
  return (
    <>
      <PaneHead {...props} message={message} />
      {/*
       * biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the
       * keyboard
       */}
      <section className={css.content} tabIndex={0} aria-label={message?.title ?? t.pane.frame}>
        {message ? (
          <Content message={message} />
        ) : isError ? (
          isGone(error) ? (
            <EmptyState icon="mail" title={t.pane.gone} hint={t.pane.goneHint}>
              <Button onClick={onClose}>{t.pane.back}</Button>
            </EmptyState>
          ) : (
            <EmptyState icon="warning" title={t.failed.title} hint={t.failed.hint}>
              <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
                {t.failed.retry}
              </Button>
            </EmptyState>
          )
        ) : (
          <Box line="top" pad="14 16" className={css.section} aria-busy="true">
            <Skeleton width={220} height={14} />
            <Skeleton height={60} className={css.block} />
          </Box>
        )}
      </section>
    </>
  )
}

const isGone = (error: Error): boolean => error instanceof ApiError && error.code === '404'

/** Marks an opened message as read. */
function useReading(message: MessageDetail | undefined): void {
  const { mutate } = useRead()
  const read = useEffectEvent((id: number) => mutate({ ids: [id] }))
  const unreadId = message && !message.read ? message.id : undefined
  useEffect(() => {
    if (unreadId !== undefined) read(unreadId)
  }, [unreadId])
}

function PaneHead(props: MessagePaneProps & { message: MessageDetail | undefined }) {
  const { message, onClose, onRemove, onPrevious, onNext } = props
  const { messages: t } = useText()
  return (
    <Row line="bottom" gap={12} align="start" fixed className={css.head}>
      <Box grows data-subject="">
        <Text as="h2" size="16/22" breaks pretty>
          {message ? message.title : <Skeleton width={180} height={16} />}
        </Text>
        {message && (
          <Row as="p" gap="0 10" align="stretch" wraps tone="quiet" size="12/18" numbers>
            {t.types[message.type]}
            <time dateTime={new Date(message.created_at).toISOString()}>
              {formatExact(message.created_at)}
            </time>
          </Row>
        )}
      </Box>
      <Row align="stretch" fixed>
        {message && (
          <IconButton icon="trash" label={t.removeOf(message.title)} onClick={() => onRemove(message)} />
        )}
        <IconButton
          icon="chevronUp"
          label={t.pane.previous}
          className={css.step}
          disabled={!onPrevious}
          onClick={onPrevious}
          aria-keyshortcuts="K"
        />
        <IconButton
          icon="chevronDown"
          label={t.pane.next}
          className={css.step}
          disabled={!onNext}
          onClick={onNext}
          aria-keyshortcuts="J"
        />
        <IconButton icon="close" label={t.pane.close} onClick={onClose} aria-keyshortcuts="Escape" />
      </Row>
    </Row>
  )
}

function Content({ message }: { message: MessageDetail }) {
  const { messages: t, visits } = useText()
  const { machine, type } = message
  const body = formatBody(message)
  // Before a transfer is accepted, the machine is in no list of the reader.
  const isOffer = type === 'transfer' && message.mayAnswer
  const isKeys = type === 'bindApply' || type === 'visitApply'
  return (
    <>
      {body && <p className={css.body}>{body}</p>}
      {message.applyId !== null && machine && (
        <MessageApplication message={message} applyId={message.applyId} machineId={machine.machineId} />
      )}
      {type === 'transfer' && message.transferId !== null && (
        <MessageTransfer
          transferId={message.transferId}
          mayAnswer={message.mayAnswer}
          outcome={message.outcome}
        />
      )}
      {message.handoverId !== null && (
        <MessageHandover
          handoverId={message.handoverId}
          mayAnswer={message.mayAnswer}
          outcome={message.outcome}
        />
      )}
      {message.invitationId !== null && (
        <MessageInvitation
          invitationId={message.invitationId}
          mayAnswer={message.mayAnswer}
          outcome={message.outcome}
        />
      )}
      {message.contactId !== null && (
        <MessageReportRequest
          contactId={message.contactId}
          mayAnswer={message.mayAnswer}
          outcome={message.outcome}
        />
      )}
      {message.projectId !== null && <MessageProject message={message} projectId={message.projectId} />}
      {message.boardId !== null && (
        <Row line="top" pad="14 16">
          <Link to="/dataCenter" search={{ board: message.boardId }} className={css.way}>
            {t.openBoard}
          </Link>
        </Row>
      )}
      {machine && !isOffer && (
        <Row line="top" pad="14 16" gap="8 16" wraps>
          {(type === 'visitSuccess' || type === 'bindSuccess') && (
            <LinkButton kind="primary" href={enterAddress(machine.machineId)} target="_blank" rel="noopener">
              {visits.enter}
            </LinkButton>
          )}
          {type === 'notice' && <WindowsWay machineId={machine.machineId} />}
          {type === 'alarm' && <AlarmWay message={message} machineId={machine.machineId} />}
          <MachineWay machineId={machine.machineId} />
          {isKeys && (
            <Link to="/administrateCenter" search={{ machineId: machine.machineId }} className={css.way}>
              {t.openKeys}
            </Link>
          )}
        </Row>
      )}
    </>
  )
}

/** Leads to the alarm of a message; if the message does not name it, to the alarms of its machine. */
function AlarmWay({ message, machineId }: { message: object; machineId: number }) {
  const t = useText().messages
  const alarm = 'alarmId' in message && typeof message.alarmId === 'number' ? message.alarmId : undefined
  return (
    <Link
      to="/alarmCenter"
      search={alarm === undefined ? { eid: 0, machine: machineId } : { alarm }}
      className={css.way}
    >
      {t.openAlarm}
    </Link>
  )
}

/** Leads to the answer to an enterprise that requests maintenance of the machine. */
function WindowsWay({ machineId }: { machineId: number }) {
  const t = useText().messages
  const navigate = useNavigate()
  const { data: windows } = useQuery(maintenanceQuery)
  if (!windows?.some((window) => window.machineId === machineId && window.state === 'waiting')) return null
  return (
    <LinkButton
      kind="primary"
      href={toAddress('/maintenance')}
      onClick={(event) => followInside(event, () => void navigate({ to: '/maintenance' }))}
    >
      {t.openWindows}
    </LinkButton>
  )
}
