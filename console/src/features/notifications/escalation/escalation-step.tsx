import { alarmContacts, alarmLimits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { friendsQuery } from '../../../entities/person/friend-queries.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { ComboBox } from '../../../shared/ui/combo-box/combo-box.tsx'
import { Note, Text } from '../../../shared/ui/layout/layout.tsx'
import { NumberField } from '../../../shared/ui/number-field/number-field.tsx'
import { Select } from '../../../shared/ui/select/select.tsx'
import { contactsQuery } from '../contact-queries.ts'
import css from './escalation.module.css'
import type { StepDraft, StepProblem } from './step-draft.ts'

interface EscalationStepProps {
  space: PageSpace
  /** Counted from 1. */
  number: number
  /** Minutes from the alarm to this step. */
  total: number
  step: StepDraft
  problem: StepProblem | undefined
  isLocked: boolean
  onChange: (step: StepDraft) => void
  onRemove: () => void
}

/** One step: the delay in minutes, the people, and the channels. */
export function EscalationStepFields(props: EscalationStepProps) {
  const { space, number, total, step, problem, isLocked, onChange, onRemove } = props
  const t = useText().notifications.escalation
  const { remove } = useText().notifications.contacts
  const isOfContacts = step.who === 'contactIds'
  const shown = formatNumber(number)
  return (
    <li className={css.step}>
      <header className={css.head}>
        <Text as="h2" size="14/20">
          {t.step(shown)}
        </Text>
        <Note as="span" leading={18}>
          {t.total(formatNumber(total))}
        </Note>
        <Button
          size="small"
          kind="ghost"
          icon="trash"
          aria-label={t.removeStep(shown)}
          disabled={isLocked}
          onClick={onRemove}
        >
          {remove}
        </Button>
      </header>
      <div className={css.fields}>
        <NumberField
          label={t.after}
          decimals={0}
          min={1}
          max={alarmLimits.escalationMinutesMax}
          unit={t.minutes}
          value={step.minutes}
          disabled={isLocked}
          error={
            problem === 'minutes' ? t.wrongMinutes(formatNumber(alarmLimits.escalationMinutesMax)) : undefined
          }
          onChange={(minutes) => onChange({ ...step, minutes })}
        />
        <Select
          label={t.who}
          choices={alarmContacts.escalationGroups
            .filter((group) => group !== 'members' || space.asked.eid !== undefined)
            .map((value) => ({ value, label: t.groups[value] }))}
          value={step.who}
          disabled={isLocked}
          onChange={(who) => onChange({ ...step, who })}
        />
        {step.who === 'userIds' && (
          <People space={space} step={step} onChange={onChange} isWrong={problem === 'people'} />
        )}
        {isOfContacts && (
          <Contacts space={space} step={step} onChange={onChange} isWrong={problem === 'people'} />
        )}
        {isOfContacts ? (
          <Note leading={18}>{t.contactsByEmail}</Note>
        ) : (
          <ComboBox
            label={t.how}
            placeholder={t.choose}
            max={alarmContacts.escalationChannels.length}
            choices={alarmContacts.escalationChannels.map((value) => ({ value, label: t.channels[value] }))}
            chosen={step.how}
            disabled={isLocked}
            error={problem === 'how' ? t.needHow : undefined}
            onChoose={(how) => onChange({ ...step, how })}
          />
        )}
      </div>
    </li>
  )
}

interface ChosenProps {
  space: PageSpace
  step: StepDraft
  isWrong: boolean
  onChange: (step: StepDraft) => void
}

/** The members of the enterprise; for personal devices, friends. */
function People({ space: { asked }, step, isWrong, onChange }: ChosenProps) {
  const t = useText().notifications.escalation
  const { eid } = asked
  const members = useQuery({ ...membersQuery(eid ?? 0, 1, ''), enabled: eid !== undefined }).data?.list
  const friends = useQuery({ ...friendsQuery, enabled: eid === undefined }).data
  const known = members
    ? members.map(({ userId, name }) => ({ value: String(userId), label: name }))
    : (friends ?? []).map(({ userid, name, remark }) => ({ value: String(userid), label: remark || name }))
  return (
    <ComboBox
      label={t.people}
      placeholder={t.choose}
      max={alarmLimits.escalationPeopleMax}
      choices={known}
      chosen={step.userIds.map(String)}
      error={isWrong ? t.needPeople : undefined}
      onChoose={(chosen) => onChange({ ...step, userIds: chosen.map(Number) })}
    />
  )
}

function Contacts({ space, step, isWrong, onChange }: ChosenProps) {
  const t = useText().notifications.escalation
  const contacts = useQuery(contactsQuery(space.asked)).data ?? []
  return (
    <ComboBox
      label={t.contacts}
      placeholder={t.choose}
      max={alarmLimits.escalationPeopleMax}
      choices={contacts.map(({ id, name, email }) => ({ value: String(id), label: name, hint: email }))}
      chosen={step.contactIds.map(String)}
      error={isWrong ? t.needPeople : undefined}
      onChoose={(chosen) => onChange({ ...step, contactIds: chosen.map(Number) })}
    />
  )
}
