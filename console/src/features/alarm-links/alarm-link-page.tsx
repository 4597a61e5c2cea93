import { type AnswerOf, alarmContacts } from '@busbar/contract'
import { LevelGlyph } from '../../entities/machine/level-badge.tsx'
import { call } from '../../shared/api/client.ts'
import { formatExact } from '../../shared/i18n/format.ts'
import { describeOffset } from '../../shared/i18n/zone.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import { Grid, Row, Text } from '../../shared/ui/layout/layout.tsx'
import css from './alarm-link-page.module.css'
import { useAlarmLinksText } from './alarm-links-text.ts'
import { LinkFrame } from './link-frame.tsx'
import { useLink } from './use-link.ts'

type LinkedAlarm = AnswerOf<typeof alarmContacts.getAlarmLink>

/** The alarm of a mail; its recipient confirms it. */
export function AlarmLinkPage({ token }: { token: string }) {
  const t = useAlarmLinksText().alarm
  const link = useLink({
    load: (signal) => call(alarmContacts.getAlarmLink, { token }, { silent: true, signal }),
    act: () => call(alarmContacts.confirmAlarmLink, { token }, { silent: true }),
  })
  const alarm = link.shown
  const isDone = alarm !== undefined && alarm.confirmedAt !== null
  const mayConfirm = alarm?.mayConfirm ?? false
  return (
    <LinkFrame
      link={link}
      isDone={isDone}
      title={isDone ? t.doneTitle : t.title}
      submit={mayConfirm && !isDone ? t.submit : undefined}
      {...(isDone ? {} : { hint: mayConfirm ? t.hint : t.notAllowed })}
    >
      {alarm && <AlarmCard alarm={alarm} />}
    </LinkFrame>
  )
}

function AlarmCard({ alarm }: { alarm: LinkedAlarm }) {
  const t = useAlarmLinksText().alarm
  const { level, text, count, unit, value, limit, raisedAt, clearedAt, confirmedAt, confirmedBy } = alarm
  const timeOf = (at: number | null) => (at === null ? '' : t.time(formatExact(at), describeOffset(at)))
  const say = (said: LinkedAlarm['value']) => {
    if (said === null) return ''
    const words = formatTagValue(said, { unit, scale: null }, t)
    return words.unit ? `${words.text} ${words.unit}` : words.text
  }
  const confirmed = timeOf(confirmedAt)
  const facts: readonly (readonly [string, string])[] = [
    [t.device, alarm.machineName],
    [t.value, say(value)],
    [t.limit, say(limit)],
    [t.raisedAt, timeOf(raisedAt)],
    [t.count, count > 1 ? String(count) : ''],
    [t.clearedAt, timeOf(clearedAt)],
    [t.confirmed, confirmed && confirmedBy ? t.confirmedBy(confirmedBy, confirmed) : confirmed],
  ]
  return (
    <section className={css.card} data-level={level}>
      <Row as="p" gap={6} tone="soft" weight={550}>
        <LevelGlyph level={level} isOver={clearedAt !== null} />
        {t.levels[level]}
      </Row>
      <Text as="p" above={4} size={16} weight={600} breaks className={css.text}>
        {text}
      </Text>
      <Grid as="dl" line="top" gap="8 16" className={css.facts}>
        {facts
          .filter(([, said]) => said !== '')
          .map(([name, said]) => (
            <div key={name} className={css.fact}>
              <dt>{name}</dt>
              <dd className="numbers">{said}</dd>
            </div>
          ))}
      </Grid>
    </section>
  )
}
