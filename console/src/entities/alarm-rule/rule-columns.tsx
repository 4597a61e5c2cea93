import type { alarmRules } from '@busbar/contract'
import { type ReactNode, useMemo } from 'react'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import type { Text } from '../../shared/i18n/text.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { Lines, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { LevelGlyph } from '../machine/level-badge.tsx'
import css from './rule-list.module.css'
import type { AlarmRule } from './rule-queries.ts'
import { sayRule, sayTime, type TagsById } from './rule-words.ts'

/** When a rule holds, in words: "Mon to Fri · 08:00–18:00". */
export function sayHours(
  hours: alarmRules.ActiveHours | undefined,
  { alarmRules: t }: Pick<Text, 'alarmRules'>,
): string {
  if (!hours) return t.always
  const { days, from, to } = hours
  const names = days.map((day) => t.editor.weekdays[day - 1] ?? '')
  const isRun = days.length > 2 && days.every((day, place) => day === (days[0] ?? 0) + place)
  const said = isRun ? `${names[0]}–${names.at(-1)}` : names.join(' ')
  const end = to <= from ? `${t.nextDay} ${to}` : to
  return `${said} · ${from}–${end}`
}

/** Whether the alarm of a rule stands, and since when. */
export function RuleState({ rule: { isActive, level, raisedAt } }: { rule: AlarmRule }): ReactNode {
  const t = useText().alarmRules
  if (!isActive) return t.states.normal
  return (
    <Lines
      main={
        <Row as="span" gap={6} inline>
          <LevelGlyph level={level} />
          {t.states.active}
        </Row>
      }
      minor={raisedAt === null ? undefined : t.since(formatMinute(raisedAt))}
    />
  )
}

/** The columns of rules: the condition in a sentence, the level, the delays, the hours, whether the alarm stands. */
export function useRuleColumns(
  byId: TagsById,
  actionsOf: ((rule: AlarmRule) => ReactNode) | undefined,
): readonly TableColumn<AlarmRule>[] {
  const text = useText()
  const columns = useMemo((): readonly TableColumn<AlarmRule>[] => {
    const t = text.alarmRules
    const { levels } = text.machines.alarms
    const delaysOf = ({ onDelay, offDelay }: AlarmRule) =>
      [
        onDelay > 0 ? t.onShort(sayTime(onDelay, text)) : '',
        offDelay > 0 ? t.offShort(sayTime(offDelay, text)) : '',
      ]
        .filter(Boolean)
        .join(' · ') || t.noDelay
    const sentence = (rule: AlarmRule) => sayRule(rule, byId, text)
    const stateOf = ({ isActive }: AlarmRule) => (isActive ? 'active' : 'normal')
    return [
      {
        id: 'condition',
        kind: 'name',
        title: t.columns.condition,
        ...{ width: 220, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: sentence,
        cell: (rule) => (
          <span className={css.sentence} title={sentence(rule)}>
            {sentence(rule)}
          </span>
        ),
      },
      {
        id: 'level',
        title: t.columns.level,
        ...{ width: 84, rank: 3, filter: { kind: 'choice', choices: levels } },
        value: ({ level }) => level,
        cell: ({ level }) => levels[level],
      },
      {
        id: 'delays',
        title: t.columns.delays,
        ...{ width: 130, grow: 1, rank: 5 },
        value: delaysOf,
      },
      {
        id: 'hours',
        title: t.columns.hours,
        ...{ width: 150, grow: 1, rank: 6 },
        value: ({ activeHours }) => sayHours(activeHours, text),
      },
      {
        id: 'state',
        title: t.columns.state,
        ...{ width: 124, rank: 2, filter: { kind: 'choice', choices: t.states } },
        value: stateOf,
        cell: (rule) => <RuleState rule={rule} />,
      },
    ]
  }, [text, byId])
  if (!actionsOf) return columns
  return [
    ...columns,
    actionsColumn<AlarmRule>(text.alarmRules.columns.actions, 84, (rule) => (
      <RowActions>{actionsOf(rule)}</RowActions>
    )),
  ]
}
