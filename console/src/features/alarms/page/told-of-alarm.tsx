import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AlarmDetail, alarmToldQuery } from '../../../entities/alarm/alarm-queries.ts'
import {
  groupTold,
  type ToldGroup,
  type ToldPerson,
  type ToldRow,
} from '../../../entities/alarm/alarm-told.ts'
import { sayReason } from '../../../entities/alarm/notification-words.ts'
import { formatClock, formatExact, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Box, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { Tag, type TagTone } from '../../../shared/ui/tag.tsx'
import css from './alarm-pane.module.css'
import told from './told-of-alarm.module.css'

/** People of a step that are shown at first. */
const shownFirst = 6

/** The people notified of an alarm at each step: by which channel, when and with which result. */
export function ToldOfAlarm({ alarm: { alarmId } }: { alarm: Pick<AlarmDetail, 'alarmId'> }) {
  const text = useText()
  const t = text.alarms.told
  const { data, isError, isFetching, refetch } = useQuery(alarmToldQuery(alarmId))
  const groups = data ? groupTold(data.list, data.escalation) : []
  const isNone = data !== undefined && data.list.length === 0 && data.escalation === null
  return (
    <section className={pane.section} aria-label={t.title} aria-busy={!data}>
      <h3>{t.title}</h3>
      {isError && !data && (
        <Text as="p" above={6} tone="quiet" role="alert">
          {t.failed}{' '}
          <Button size="small" icon="refresh" busy={isFetching} onClick={() => void refetch()}>
            {text.app.retry}
          </Button>
        </Text>
      )}
      {!data && !isError && <Skeleton height={40} className={pane.skeletonBlock} />}
      {isNone ? (
        <p className={css.none}>{t.none}</p>
      ) : (
        groups.map((group) => <Step key={group.step} group={group} end={data?.escalation?.end ?? null} />)
      )}
      {data?.isCut || (data && data.total > data.list.length) ? (
        <Text as="p" above={6} tone="quiet">
          {t.cut}
        </Text>
      ) : null}
    </section>
  )
}

type End = Parameters<typeof sayPlan>[2]

function Step({ group, end }: { group: ToldGroup; end: End }) {
  const text = useText()
  const t = text.alarms.told
  const [isWhole, setWhole] = useState(false)
  const { step, at, people, plan } = group
  const shown = isWhole ? people : people.slice(0, shownFirst)
  const groups = text.notifications.escalation.groups
  return (
    <Box padY={8} className={told.step} data-step={step}>
      <Row as="p" gap="0 10" align="baseline" justify="between" wraps className={css.first}>
        <b>
          {step === 0 ? t.atOnce : t.step(String(step))}
          {plan?.who && (
            <Text tone="soft" size={12} weight={400} className={told.of}>
              {groups[plan.who]}
            </Text>
          )}
        </b>
        {at === null ? (
          <span className={css.at}>{plan && sayPlan(t, plan, end)}</span>
        ) : (
          <time className={css.at} dateTime={new Date(at).toISOString()}>
            {formatExact(at)}
          </time>
        )}
      </Row>
      {people.length === 0 && (step === 0 || plan?.state === 'told') && (
        <p className={css.said}>{t.nobody}</p>
      )}
      {shown.length > 0 && (
        <Stack as="ul" above={4} gap={6}>
          {shown.map((person) => (
            <Person key={person.who} person={person} />
          ))}
        </Stack>
      )}
      {shown.length < people.length && (
        <Button kind="ghost" size="small" onClick={() => setWhole(true)}>
          {t.all(formatNumber(people.length))}
        </Button>
      )}
    </Box>
  )
}

/** The time at which a step without messages is due, or why it was skipped. */
function sayPlan(
  t: ReturnType<typeof useText>['alarms']['told'],
  { state, dueAt }: NonNullable<ToldGroup['plan']>,
  end: keyof ReturnType<typeof useText>['alarms']['told']['ends'] | null,
): string {
  if (state === 'dropped') return end === null ? '' : t.ends[end]
  return dueAt === null ? '' : t.dueAt(formatExact(dueAt))
}

function Person({ person: { name, isContact, messages } }: { person: ToldPerson }) {
  const t = useText().alarms.told
  return (
    <li>
      <Text as="p" breaks>
        {name}
        {isContact && (
          <Text tone="soft" size={12} weight={400} className={told.of}>
            {t.contact}
          </Text>
        )}
      </Text>
      <Stack as="ul" gap={2}>
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </Stack>
    </li>
  )
}

const tones: Partial<Record<ToldRow['state'], TagTone>> = { delivered: 'good', failed: 'bad', kept: 'warn' }

function Message({ message }: { message: ToldRow }) {
  const text = useText()
  const t = text.alarms.told
  const { channel, state, reason, isDigest, createTime, settledAt } = message
  const why =
    channel === 'push' && reason === 'limited' ? t.pushedWithOthers : sayReason(text.notifications, message)
  const at = settledAt ?? createTime
  return (
    <li className={told.message} data-channel={channel} data-state={state}>
      <span>{t.channels[channel]}</span>
      <Tag tone={tones[state] ?? 'plain'}>{text.notifications.states[state]}</Tag>
      <Text tone="soft" breaks>
        {why || (isDigest && text.notifications.reasons.digest)}
      </Text>
      <time className={css.at} dateTime={new Date(at).toISOString()} data-tip={formatExact(at)}>
        {formatClock(at)}
      </time>
    </li>
  )
}
