import { alarmContacts, alarmLimits } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { useUnsavedChanges } from '../../../shared/ui/form/use-unsaved-changes.ts'
import { Note, Row } from '../../../shared/ui/layout/layout.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import type { EscalationOf } from '../contact-queries.ts'
import { notificationsKey } from '../notification-queries.ts'
import css from './escalation.module.css'
import { EscalationStepFields } from './escalation-step.tsx'
import { draftOf, emptyStep, problemOf, type StepDraft, stepOf, totalsOf } from './step-draft.ts'

interface EscalationFormProps {
  of: EscalationOf
  space: PageSpace
  steps: readonly alarmContacts.EscalationStep[]
  isOwn: boolean
  isLocked: boolean
}

/** The steps of an escalation, in their order. */
export function EscalationForm({ of, space, steps, isOwn, isLocked }: EscalationFormProps) {
  const t = useText().notifications.escalation
  const [drafts, setDrafts] = useState<readonly StepDraft[]>(() => steps.map(draftOf))
  const [isDirty, setDirty] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const { mutate, isPending } = useAct({
    call: () => call(alarmContacts.putEscalation, { ...of, steps: drafts.map(stepOf) }),
    done: t.saved,
    touched: [notificationsKey],
    onDone: () => setDirty(false),
  })
  const problems = drafts.map((draft) => problemOf(draft, alarmLimits.escalationMinutesMax))
  const totals = totalsOf(drafts)

  function change(next: readonly StepDraft[]) {
    setDrafts(next)
    setDirty(true)
  }

  return (
    <form
      className={css.steps}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (problems.every((problem) => problem === undefined)) mutate()
      }}
    >
      <Unsaved isDirty={isDirty} />
      {!isOwn && steps.length > 0 && <Note leading={18}>{t.inherited}</Note>}
      {isLocked && <Note leading={18}>{t.readOnly}</Note>}
      {drafts.length === 0 && <p className={css.none}>{t.none}</p>}
      <ol className={css.list}>
        {drafts.map((draft, place) => (
          <EscalationStepFields
            key={draft.key}
            space={space}
            number={place + 1}
            total={totals[place] ?? 0}
            step={draft}
            problem={isChecked ? problems[place] : undefined}
            isLocked={isLocked}
            onChange={(next) => change(drafts.map((each) => (each.key === draft.key ? next : each)))}
            onRemove={() => change(drafts.filter(({ key }) => key !== draft.key))}
          />
        ))}
      </ol>
      <Row align="stretch" gap={8} justify="between" wraps>
        <Button
          icon="plus"
          disabled={isLocked || drafts.length >= alarmLimits.escalationStepsMax}
          onClick={() => change([...drafts, emptyStep()])}
        >
          {t.add}
        </Button>
        <Button type="submit" kind="primary" disabled={isLocked || !isDirty} busy={isPending}>
          {t.save}
        </Button>
      </Row>
    </form>
  )
}

function Unsaved({ isDirty }: { isDirty: boolean }) {
  useUnsavedChanges(isDirty)
  return null
}
